// Errors of command buffers: the injected ones, and the texts that Apple's driver gives.
#pragma once

#include <string>

#include "../runtime/types.h"

namespace standin {

struct Failure {
  Unsigned code = 0;  // MTLCommandBufferError; 0: none
  std::string text;

  explicit operator bool() const { return code != 0; }
};

constexpr const char* commandBufferErrorDomain = "MTLCommandBufferErrorDomain";

/// The failure that was asked for the command buffer that is being committed.
Failure injectedFailure();

/// The next command buffer that is committed fails. An empty message stands for the driver's own.
void failNext(Unsigned code, const char* message);

/// Of work that a queue takes after an error.
Failure ignoredFailure();

/// Of a kernel's report.
Failure reportedFailure(const std::string& report);

}  // namespace standin
