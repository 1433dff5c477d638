// What the compiler's instrumentation calls: every access to memory, every call, and undefined arithmetic.
#include "machine.h"
#include <string.h>

#pragma GCC visibility push(default)
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void* caller) {
  if (current == nullptr) return;
  if (current->depth == max_calls) end_run("calls are nested too deeply");
  current->calls[current->depth++] = (Address)caller;
}
void __tsan_func_exit() {
  if (current && current->depth > 0) --current->depth;
}

#define ACCESS(bytes) \
  void __tsan_read##bytes(void* at) { touch((Address)at, bytes, false, false, HERE); } \
  void __tsan_write##bytes(void* at) { touch((Address)at, bytes, true, false, HERE); } \
  void __tsan_unaligned_read##bytes(void* at) { touch((Address)at, bytes, false, false, HERE); } \
  void __tsan_unaligned_write##bytes(void* at) { touch((Address)at, bytes, true, false, HERE); } \
  void __tsan_volatile_read##bytes(void* at) { touch((Address)at, bytes, false, false, HERE); } \
  void __tsan_volatile_write##bytes(void* at) { touch((Address)at, bytes, true, false, HERE); } \
  void __tsan_read_write##bytes(void* at) { \
    touch((Address)at, bytes, false, false, HERE); \
    touch((Address)at, bytes, true, false, HERE); \
  }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)

void __tsan_read_range(void* at, size_t bytes) { touch((Address)at, bytes, false, false, HERE); }
void __tsan_write_range(void* at, size_t bytes) { touch((Address)at, bytes, true, false, HERE); }
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  touch((Address)from, bytes, false, false, HERE);
  touch((Address)to, bytes, true, false, HERE);
  return memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  touch((Address)from, bytes, false, false, HERE);
  touch((Address)to, bytes, true, false, HERE);
  return memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, size_t bytes) {
  touch((Address)to, bytes, true, false, HERE);
  return memset(to, value, bytes);
}

typedef uint32_t Word;
Word __tsan_atomic32_load(const volatile Word* at, int) {
  touch((Address)at, 4, false, true, HERE);
  return *at;
}
void __tsan_atomic32_store(volatile Word* at, Word value, int) {
  touch((Address)at, 4, true, true, HERE);
  *at = value;
}
#define EXCHANGE(name, result) \
  Word __tsan_atomic32_##name(volatile Word* at, Word value, int) { \
    touch((Address)at, 4, false, true, HERE); \
    touch((Address)at, 4, true, true, HERE); \
    const Word old = *at; \
    *at = result; \
    return old; \
  }
EXCHANGE(exchange, value) EXCHANGE(fetch_add, old + value) EXCHANGE(fetch_sub, old - value)
EXCHANGE(fetch_and, old & value) EXCHANGE(fetch_or, old | value) EXCHANGE(fetch_xor, old ^ value)
#define COMPARE(name) \
  bool __tsan_atomic32_compare_exchange_##name(volatile Word* at, Word* expected, Word desired, int, int) { \
    touch((Address)at, 4, false, true, HERE); \
    touch((Address)at, 4, true, true, HERE); \
    const Word old = *at; \
    if (old == *expected) { \
      *at = desired; \
      return true; \
    } \
    *expected = old; \
    return false; \
  }
COMPARE(weak) COMPARE(strong)

void __ubsan_handle_out_of_bounds(void*, size_t index) {
  report("index-out-of-bounds", current, HERE, 0, "index %ld is outside of an array of fixed size", (long)index);
}
void __ubsan_handle_divrem_overflow(void*, size_t, size_t) {
  report("division", current, HERE, 0, "integer division by zero, or of the lowest number by -1");
  end_run("stopped");
}
struct TypeMismatch {
  const char* file;
  unsigned line, column;
  const void* type;
  unsigned char alignment, kind;
};
void __ubsan_handle_type_mismatch_v1(const TypeMismatch* what, size_t address) {
  const unsigned long alignment = 1ul << what->alignment;
  if (address % alignment == 0) return;
  report("misaligned", current, HERE, 0, "address is no multiple of %lu bytes, which the type needs: %lu too far", alignment,
         (unsigned long)(address % alignment));
}
}
#pragma GCC visibility pop
