// Relaxed atomics, for the status words of a launch: threads of the pool share them.
#pragma once
#include "language.h"

namespace metal {

enum memory_order { memory_order_relaxed = __ATOMIC_RELAXED };
template <typename T> struct atomic { T value; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;

template <typename T> METAL_FUNC T atomic_load_explicit(const volatile atomic<T>* object, memory_order) {
  return __atomic_load_n(&object->value, __ATOMIC_RELAXED);
}
template <typename T> METAL_FUNC void atomic_store_explicit(volatile atomic<T>* object, T value, memory_order) {
  __atomic_store_n(&object->value, value, __ATOMIC_RELAXED);
}
template <typename T> METAL_FUNC T atomic_exchange_explicit(volatile atomic<T>* object, T value, memory_order) {
  return __atomic_exchange_n(&object->value, value, __ATOMIC_RELAXED);
}
template <typename T>
METAL_FUNC bool atomic_compare_exchange_weak_explicit(volatile atomic<T>* object, T* expected, T desired, memory_order, memory_order) {
  return __atomic_compare_exchange_n(&object->value, expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#define METAL_FETCH(name) \
  template <typename T> METAL_FUNC T atomic_##name##_explicit(volatile atomic<T>* object, T value, memory_order) { \
    return __atomic_##name(&object->value, value, __ATOMIC_RELAXED); \
  }
METAL_FETCH(fetch_add) METAL_FETCH(fetch_sub) METAL_FETCH(fetch_and) METAL_FETCH(fetch_or) METAL_FETCH(fetch_xor)
#undef METAL_FETCH

} // namespace metal
using metal::atomic_int;
using metal::atomic_uint;
