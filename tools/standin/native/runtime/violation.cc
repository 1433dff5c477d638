#include "violation.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "class.h"

namespace standin {

thread_local Sent lastSent;

namespace {

[[noreturn]] void print(const char* subject, const char* format, std::va_list arguments) {
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::fprintf(stderr, "stand-in: %s%s%s\n", subject, *subject ? ": " : "", text);
  std::fflush(stderr);
  std::abort();
}

}  // namespace

void violation(const char* format, ...) {
  char subject[256] = "";
  if (lastSent.receiver != nullptr) {
    const Class& receiver = *lastSent.receiver;
    std::snprintf(subject, sizeof subject, "%c[%s %s]", receiver.meta ? '+' : '-', receiver.owner,
                  selectorName(lastSent.selector));
  }
  std::va_list arguments;
  va_start(arguments, format);
  print(subject, format, arguments);
}

void violationOutside(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  print("", format, arguments);
}

}  // namespace standin
