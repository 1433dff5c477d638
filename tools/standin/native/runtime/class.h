// Classes and their methods. Which methods there are, and their types, comes from the fact table alone.
#pragma once

#include <string>
#include <vector>

#include "object.h"

namespace standin {

/// A row of the table of messages.
struct Fact {
  const char* owner;
  const char* selector;
  const char* encoding;
  char kind;      // '-' or '+'
  bool protocol;  // the owner is a protocol: its objects are of a private class
  bool created;   // the caller owns the result
  int since;      // 10.11 as 1011
};

extern const Fact facts[];
extern const std::size_t factCount;

using Implementation = void (*)();

struct Method {
  const Fact* fact = nullptr;
  Implementation implementation = nullptr;  // null: in the table, but not in the stand-in
  std::string encoding;                     // as the real runtime writes it, with offsets
};

struct Class : Object {
  const char* owner = "";  // as in the table
  const char* name = "";   // as the runtime tells it
  Class* super = nullptr;
  bool meta = false;
  std::vector<Method*> methods;  // by number of the selector, those of `super` included
  void (*destroy)(Object*) = nullptr;
  Object* (*allocate)() = nullptr;
  std::atomic<long> live{0};

  const Method* find(Selector selector) const;
};

/// Number of a selector that stands in the table; above all of them for others. Aborts when it was never registered.
std::uint32_t selectorNumber(Selector selector);
const char* selectorName(Selector selector);
std::uint32_t tableSelectors();
Selector registerSelector(const char* name);

/// Makes a class with every method of its table rows that the pretended system has, none of them implemented yet.
Class* defineClass(const char* owner, Class* super, void (*destroy)(Object*), Object* (*allocate)());

/// Null when there is none, or none on the pretended system.
Class* findClass(const char* owner);
std::vector<Class*> allClasses();

/// Gives a method its implementation. Aborts when the table has no such message, or one of other types.
void implement(Class* owner, const char* selector, Implementation implementation, const std::string& encoding);

/// As `-isKindOfClass:`.
bool isKind(const Object* object, const Class* kind);

}  // namespace standin
