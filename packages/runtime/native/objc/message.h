// A message with its exact prototype.
#pragma once

#include <atomic>
#include <string>
#include <type_traits>

#include "runtime.h"

namespace metile::objc {

template <typename Prototype>
class Message;

// objc_msgSend has to be called through the method's own prototype: an arm64 method reads its arguments from registers, where
// a variadic call would not have put them.
template <typename Result, typename... Arguments>
class Message<Result(Arguments...)> {
 public:
  explicit constexpr Message(const char* name) : name_(name) {}

  SEL selector() const {
    SEL selector = selector_.load(std::memory_order_acquire);
    if (selector == nullptr) {
      selector = runtime.registerName(name_);
      selector_.store(selector, std::memory_order_release);
    }
    return selector;
  }

  // To nil: nothing happens, the result is zero.
  Result operator()(id receiver, Arguments... arguments) const {
    using Function = Result (*)(id, SEL, Arguments...);
#if defined(__x86_64__)
    using Sized = std::conditional_t<std::is_void_v<Result>, char, Result>;
    if constexpr (sizeof(Sized) > 16) {
      return reinterpret_cast<Function>(runtime.messageSendStructure)(receiver, selector(), arguments...);
    } else
#endif
    {
      return reinterpret_cast<Function>(runtime.messageSend)(receiver, selector(), arguments...);
    }
  }

  const char* name() const { return name_; }
  std::string encoding() const { return encodingOf<Result, Arguments...>(); }

 private:
  const char* name_;
  mutable std::atomic<SEL> selector_{nullptr};
};

}  // namespace metile::objc
