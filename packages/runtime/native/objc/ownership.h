// Who holds which object, and autorelease pools.
#pragma once

#include <utility>

#include "runtime.h"

namespace metile::objc {

// One reference to an object.
class Reference {
 public:
  Reference() = default;

  // Takes over a result that is already ours: of methods named new…, alloc, copy, and of MTLCreate… and MTLCopy….
  static Reference adopt(id object) {
    Reference reference;
    reference.object_ = object;
    return reference;
  }

  // Holds a result that is not: all others, such as -commandBuffer and -error.
  static Reference retain(id object) {
    if (object != nullptr) runtime.retain(object);
    return adopt(object);
  }

  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() { reset(); }

  void reset() {
    if (object_ != nullptr) runtime.release(std::exchange(object_, nullptr));
  }
  id get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  id object_ = nullptr;
};

// Around every entry of ours that sends messages, on any thread: what is autoreleased within goes at its end.
class Pool {
 public:
  Pool() : token_(runtime.poolPush()) {}
  ~Pool() { runtime.poolPop(token_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  void* token_;
};

}  // namespace metile::objc
