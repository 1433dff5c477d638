// What a program must not do ends it with one line; what Metal would let pass in silence is counted.
#pragma once

#include "types.h"

namespace standin {

/// Prints `stand-in: -[Class selector]: text` for the message that this thread sends, and aborts.
[[noreturn]] void violation(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// As `violation`, of no message: a completed command buffer, a freed object's memory.
[[noreturn]] void violationOutside(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// The message that this thread sent last, for the text of a violation.
struct Sent {
  const Class* receiver = nullptr;
  Selector selector = nullptr;
};

extern thread_local Sent lastSent;

}  // namespace standin
