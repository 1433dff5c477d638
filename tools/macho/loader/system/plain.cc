// Functions that are the same on both systems, and those that only have another name. The values of errno differ beyond
// 34 and are not translated: nothing of ours compares them.
#include <unwind.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../imports.h"
#include "../thread_variables.h"

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library);

namespace macho {
namespace {

int* errorNumber() { return &errno; }
void zero(void* target, std::size_t bytes) { std::memset(target, 0, bytes); }
void clearInstructions(void* start, std::size_t bytes) {
  __builtin___clear_cache(static_cast<char*>(start), static_cast<char*>(start) + bytes);
}
[[noreturn]] void neverBound() {
  std::fputs("macho: dyld_stub_binder was called, though everything is bound\n", stderr);
  std::abort();
}
// The library that asks is no library of Linux: what it leaves runs at the end of the process.
int atExit(void (*function)(void*), void* argument, void*) { return __cxa_atexit(function, argument, nullptr); }

}  // namespace

std::vector<Provided> plainFunctions() {
#define SAME(name) provide("_" #name, static_cast<decltype(&::name)>(::name))
  return {
      provide("___error", errorNumber),
      provide("_bzero", zero),
      provide("_sys_icache_invalidate", clearInstructions),
      provide("dyld_stub_binder", neverBound),
      provide("__tlv_bootstrap", neverBound),  // descriptors of thread variables are made ready before binding
      provide("___cxa_atexit", atExit),
      provide("__Unwind_Resume", _Unwind_Resume),
      provide("_memchr", static_cast<const void* (*)(const void*, int, std::size_t)>(std::memchr)),
      provide("_strchr", static_cast<const char* (*)(const char*, int)>(std::strchr)),
      SAME(memcmp), SAME(memcpy), SAME(memmove), SAME(memset), SAME(strlen), SAME(strcmp), SAME(strncmp), SAME(strdup),
      SAME(malloc), SAME(calloc), SAME(realloc), SAME(free), SAME(aligned_alloc), SAME(posix_memalign), SAME(abort),
      SAME(getenv), SAME(strtol), SAME(strtoul), SAME(strtoll), SAME(strtoull), SAME(strtod), SAME(strtof), SAME(getpid),
      SAME(fmaf), SAME(expf), SAME(logf), SAME(sqrtf), SAME(write),
  };
#undef SAME
}

}  // namespace macho
