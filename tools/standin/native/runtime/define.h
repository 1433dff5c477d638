// How the parts of the stand-in declare their classes.
#pragma once

#include "class.h"
#include "encoding.h"
#include "violation.h"

namespace standin {

/// A class whose objects are `T`; `T::type` is set. `super` defaults to NSObject.
template <class T>
Class* define(const char* owner, Class* super = nullptr) {
  T::type = defineClass(
      owner, super, [](Object* object) { static_cast<T*>(object)->~T(); }, []() -> Object* {
        if constexpr (std::is_default_constructible_v<T>) return make<T>();
        violation("objects of this class are made by Metal alone");
      });
  return T::type;
}

/// An instance method.
template <class T, class Result, class... Arguments>
void method(Class* owner, const char* selector, Result (*body)(T*, Selector, Arguments...)) {
  static_assert(std::is_base_of_v<Object, T>);
  implement(owner, selector, reinterpret_cast<Implementation>(body), encode<Result, Arguments...>());
}

/// A class method.
template <class Result, class... Arguments>
void classMethod(Class* owner, const char* selector, Result (*body)(Class*, Selector, Arguments...)) {
  implement(owner->isa, selector, reinterpret_cast<Implementation>(body), encode<Result, Arguments...>());
}

/// An argument as an object of a class; null stays null.
template <class T>
T* as(Object* object, const char* what) {
  if (object == nullptr) return nullptr;
  requireAlive(object, what);
  if (!isKind(object, T::type)) violation("%s is a %s, not a %s", what, object->isa->owner, T::type->owner);
  return static_cast<T*>(object);
}

/// As `as`, for arguments that may not be nil.
template <class T>
T* need(Object* object, const char* what) {
  if (object == nullptr) violation("%s is nil", what);
  return as<T>(object, what);
}

}  // namespace standin
