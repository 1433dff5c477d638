// Functions with a variable number of arguments. macOS passes those on the stack, 8 bytes each; Linux in registers first.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "../imports.h"

namespace macho {

// How Linux's compiler walks the arguments of a call. With no registers left, all come from the stack: macOS's order.
struct AppleArguments {
  void* stack;
  void* registersEnd = nullptr;
  void* vectorsEnd = nullptr;
  int registersLeft = 0;
  int vectorsLeft = 0;
};
static_assert(sizeof(AppleArguments) == sizeof(va_list));

template <typename Call>
int withArguments(void* stack, Call call) {
  AppleArguments arguments{stack};
  va_list list;
  std::memcpy(&list, &arguments, sizeof list);
  return call(list);
}

extern "C" {

void machoSnprintf();
void machoFprintf();
void machoPrintf();
void machoSscanf();

int machoSnprintfAt(char* target, std::size_t bytes, const char* format, void* stack) {
  return withArguments(stack, [&](va_list& list) { return std::vsnprintf(target, bytes, format, list); });
}
int machoFprintfAt(std::FILE* file, const char* format, void* stack) {
  return withArguments(stack, [&](va_list& list) { return std::vfprintf(file, format, list); });
}
int machoPrintfAt(const char* format, void* stack) {
  return withArguments(stack, [&](va_list& list) { return std::vprintf(format, list); });
}
int machoSscanfAt(const char* text, const char* format, void* stack) {
  return withArguments(stack, [&](va_list& list) { return std::vsscanf(text, format, list); });
}

// macOS's va_list is the address of the next argument.
static int vsnprintfAt(char* target, std::size_t bytes, const char* format, void* stack) {
  return machoSnprintfAt(target, bytes, format, stack);
}

}  // extern "C"

// Each gives the place of the first variable argument, which is the stack's, as one more fixed argument.
asm(R"(
  .text
  .balign 4
  .globl machoSnprintf, machoFprintf, machoPrintf, machoSscanf
  .hidden machoSnprintf, machoFprintf, machoPrintf, machoSscanf
machoSnprintf:
  mov x3, sp
  b machoSnprintfAt
machoFprintf:
  mov x2, sp
  b machoFprintfAt
machoPrintf:
  mov x1, sp
  b machoPrintfAt
machoSscanf:
  mov x2, sp
  b machoSscanfAt
)");

std::vector<Provided> textFunctions() {
  static std::FILE* standardError = stderr;
  static std::FILE* standardOutput = stdout;
  return {
      provide("_snprintf", machoSnprintf), provide("_fprintf", machoFprintf),   provide("_printf", machoPrintf),
      provide("_sscanf", machoSscanf),     provide("_vsnprintf", vsnprintfAt),  provide("_fputs", fputs),
      provide("_fputc", fputc),            provide("_fwrite", fwrite),          provide("_fflush", fflush),
      {"___stderrp", &standardError},      {"___stdoutp", &standardOutput},
  };
}

}  // namespace macho
