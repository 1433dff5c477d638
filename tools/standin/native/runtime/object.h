// Objects as the runtime sees them: a class, a count of references, and a state that outlives the object.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "types.h"

namespace standin {

enum class Life : std::uint32_t { alive = 0x4f626a31, freed = 0x66726565 };

struct Object {
  Class* isa = nullptr;
  std::atomic<long> references{1};
  std::atomic<Life> life{Life::alive};
  std::atomic<std::int32_t> inFlight{0};  // command buffers that hold work with it

  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

/// Sets the class and counts the object; `make` calls it.
void adoptClass(Object* object, Class* isa);

/// A new object with one reference that the caller owns.
template <class T, class... Arguments>
T* make(Arguments&&... arguments) {
  T* object = new (std::malloc(sizeof(T))) T(std::forward<Arguments>(arguments)...);
  adoptClass(object, T::type);
  return object;
}

/// Aborts when the object was freed; its class is still known then.
void requireAlive(const Object* object, const char* what);

Object* retain(Object* object);
void release(Object* object);
Object* autorelease(Object* object);

/// Autoreleased: what methods return that the caller does not own.
template <class T>
T* lend(T* object) {
  autorelease(object);
  return object;
}

/// One reference, given back at the end.
template <class T>
class Reference {
 public:
  Reference() = default;
  /// Takes over a reference that the caller owns.
  static Reference adopt(T* object) {
    Reference reference;
    reference.object_ = object;
    return reference;
  }
  static Reference keep(T* object) {
    retain(object);
    return adopt(object);
  }
  Reference(const Reference& other) : object_(other.object_) { retain(object_); }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() { release(object_); }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace standin
