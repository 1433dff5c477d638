// Relaxed atomics in device and threadgroup memory.
#pragma once
#include "vector.h"

namespace metal {

enum memory_order { memory_order_relaxed };
template <typename T> struct atomic { T value; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<bool> atomic_bool;
typedef atomic<ulong> atomic_ulong;
typedef atomic<float> atomic_float;

namespace cuda {
// CUDA's functions take int, unsigned, unsigned long long and float.
template <typename T> METAL_FUNC T* raw(volatile atomic<T>* object) { return const_cast<T*>(&object->value); }
METAL_FUNC unsigned long long* raw(volatile atomic<ulong>* object) {
  return (unsigned long long*)const_cast<ulong*>(&object->value);
}
} // namespace cuda

template <typename T> METAL_FUNC T atomic_load_explicit(const volatile atomic<T>* object, memory_order) { return object->value; }
template <typename T>
METAL_FUNC void atomic_store_explicit(volatile atomic<T>* object, typename cuda::Exactly<T>::type value, memory_order) {
  object->value = value;
}

#define METAL_ATOMIC(name, function) \
  template <typename T> METAL_FUNC T atomic_##name##_explicit(volatile atomic<T>* object, typename cuda::Exactly<T>::type value, memory_order) { \
    return (T)function(cuda::raw(object), value); \
  }
METAL_ATOMIC(exchange, atomicExch) METAL_ATOMIC(fetch_add, atomicAdd) METAL_ATOMIC(fetch_max, atomicMax)
METAL_ATOMIC(fetch_min, atomicMin) METAL_ATOMIC(fetch_and, atomicAnd) METAL_ATOMIC(fetch_or, atomicOr)
METAL_ATOMIC(fetch_xor, atomicXor) METAL_ATOMIC(max, atomicMax) METAL_ATOMIC(min, atomicMin)
#undef METAL_ATOMIC
template <typename T>
METAL_FUNC T atomic_fetch_sub_explicit(volatile atomic<T>* object, typename cuda::Exactly<T>::type value, memory_order) {
  return atomicAdd(cuda::raw(object), -value);
}

template <typename T>
METAL_FUNC bool atomic_compare_exchange_weak_explicit(
    volatile atomic<T>* object, T* expected, typename cuda::Exactly<T>::type desired, memory_order, memory_order) {
  const uint wanted = as_type<uint>(*expected); // by bits, as Metal compares
  const uint found = atomicCAS((uint*)cuda::raw(object), wanted, as_type<uint>(T(desired)));
  *expected = as_type<T>(found);
  return found == wanted;
}

} // namespace metal
