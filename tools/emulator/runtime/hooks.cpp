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

// The emulator's atomics are made of these two (emulator/atomic.h).
#define ATOMIC(bits) \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t* at, int) { \
    touch((Address)at, bits / 8, false, true, HERE); \
    return *at; \
  } \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t* at, uint##bits##_t value, int) { \
    touch((Address)at, bits / 8, true, true, HERE); \
    *at = value; \
  }
ATOMIC(8) ATOMIC(32) ATOMIC(64)

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
