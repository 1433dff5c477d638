// Relaxed atomics of Metal: int and uint; bool, without arithmetic; float, with sums; ulong, with least and greatest alone.
//
// Threads take turns only where they wait, so that reading and writing again is one step. Both are atomic accesses, in the
// eyes of what watches them.
#pragma once
#include "metal/bits.h"

namespace metal {

enum memory_order { memory_order_relaxed = __ATOMIC_RELAXED };
template <typename T> struct atomic { T value; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<bool> atomic_bool;
typedef atomic<float> atomic_float;
typedef atomic<ulong> atomic_ulong;

template <typename T> struct AtomicBits { typedef T Word; };
template <> struct AtomicBits<float> { typedef uint Word; };
template <typename T> struct Exactly { typedef T Type; }; // a parameter that has no say in what T is

template <typename T> METAL_FUNC T atomic_load_explicit(const volatile atomic<T>* object, memory_order) {
  typedef typename AtomicBits<T>::Word Word;
  return as_type<T>(__atomic_load_n((const volatile Word*)&object->value, __ATOMIC_RELAXED));
}
template <typename T> METAL_FUNC void atomic_store_explicit(volatile atomic<T>* object, typename Exactly<T>::Type value, memory_order) {
  typedef typename AtomicBits<T>::Word Word;
  __atomic_store_n((volatile Word*)&object->value, as_type<Word>(value), __ATOMIC_RELAXED);
}
template <typename T> METAL_FUNC T atomic_exchange_explicit(volatile atomic<T>* object, typename Exactly<T>::Type value, memory_order order) {
  const T old = atomic_load_explicit(object, order);
  atomic_store_explicit(object, value, order);
  return old;
}
template <typename T>
METAL_FUNC bool atomic_compare_exchange_weak_explicit(volatile atomic<T>* object, T* expected, typename Exactly<T>::Type desired,
                                                      memory_order order, memory_order) {
  typedef typename AtomicBits<T>::Word Word;
  const T old = atomic_load_explicit(object, order);
  const bool same = as_type<Word>(old) == as_type<Word>(*expected);
  if (same) atomic_store_explicit(object, desired, order);
  else *expected = old;
  return same;
}

#define METAL_FETCH(type, name, expression) \
  METAL_FUNC type atomic_fetch_##name##_explicit(volatile atomic<type>* object, type b, memory_order order) { \
    const type a = atomic_load_explicit(object, order); \
    atomic_store_explicit(object, expression, order); \
    return a; \
  }
#define METAL_FETCHES(type) \
  METAL_FETCH(type, add, (type)((uint)a + (uint)b)) METAL_FETCH(type, sub, (type)((uint)a - (uint)b)) \
  METAL_FETCH(type, and, a & b) METAL_FETCH(type, or, a | b) METAL_FETCH(type, xor, a ^ b) \
  METAL_FETCH(type, min, b < a ? b : a) METAL_FETCH(type, max, a < b ? b : a)
METAL_FETCHES(int) METAL_FETCHES(uint) METAL_FETCH(float, add, a + b) METAL_FETCH(float, sub, a - b)
#undef METAL_FETCHES
#undef METAL_FETCH

METAL_FUNC void atomic_min_explicit(volatile atomic_ulong* object, ulong value, memory_order order) {
  if (value < atomic_load_explicit(object, order)) atomic_store_explicit(object, value, order);
}
METAL_FUNC void atomic_max_explicit(volatile atomic_ulong* object, ulong value, memory_order order) {
  if (atomic_load_explicit(object, order) < value) atomic_store_explicit(object, value, order);
}

} // namespace metal
using metal::atomic_bool;
using metal::atomic_float;
using metal::atomic_int;
using metal::atomic_uint;
using metal::atomic_ulong;
