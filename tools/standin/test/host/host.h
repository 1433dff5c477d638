// A host of its own, apart from the runtime's: sends messages through objc_msgSend cast to each exact prototype.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

using Id = void*;
using Name = const void*;  // a selector
using Unsigned = unsigned long;
using Integer = long;

struct Size {
  Unsigned width, height, depth;
};

struct Range {
  Unsigned location, length;
};

struct Version {
  Integer major, minor, patch;
};

struct Pair {
  Unsigned size, align;
};

/// A function of the library that METILE_METAL_STANDIN names.
void* functionNamed(const char* name);

template <class Signature>
Signature* function(const char* name) {
  return reinterpret_cast<Signature*>(functionNamed(name));
}

Name selector(const char* name);
Id classNamed(const char* name);

template <class Signature>
struct Message;

template <class Result, class... Arguments>
struct Message<Result(Arguments...)> {
  static Result send(Id self, const char* name, Arguments... arguments) {
    using Prototype = Result (*)(Id, Name, Arguments...);
    const char* entry = "objc_msgSend";
#if defined(__x86_64__)
    if constexpr (!std::is_void_v<Result>) {
      if (sizeof(std::conditional_t<std::is_void_v<Result>, char, Result>) > 16) entry = "objc_msgSend_stret";
    }
#endif
    return reinterpret_cast<Prototype>(functionNamed(entry))(self, selector(name), arguments...);
  }
};

/// send<Id(Unsigned)>(device, "newCommandQueueWithMaxCommandBufferCount:", 4)
template <class Signature, class... Given>
auto send(Id self, const char* name, Given... given) {
  return Message<Signature>::send(self, name, given...);
}

class Pool {
 public:
  Pool() : token_(function<void*()>("objc_autoreleasePoolPush")()) {}
  ~Pool() { function<void(void*)>("objc_autoreleasePoolPop")(token_); }

 private:
  void* token_;
};

void retain(Id object);
void release(Id object);
long counter(const char* name);
Id text(const std::string& value);
std::string string(Id text);

/// Ends the program with the line when a condition does not hold.
#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                \
      std::fflush(stdout);                                                       \
      std::_Exit(1);                                                             \
    }                                                                            \
  } while (false)

/// A case that a test runs by name, in a process of its own.
struct Case {
  Case(const char* name, void (*run)());
};

#define CASE(NAME)                            \
  static void run_##NAME();                   \
  static const Case case_##NAME(#NAME, run_##NAME); \
  static void run_##NAME()
