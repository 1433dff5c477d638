#include "class.h"

#include <cstring>

#include "encoding.h"
#include "switches.h"
#include "violation.h"

namespace standin {

const Fact facts[] = {
#include "../../generated/facts.inc"
};
const std::size_t factCount = sizeof facts / sizeof facts[0];

namespace {

std::vector<Class*>& registry() {
  static auto* only = new std::vector<Class*>;
  return *only;
}

/// Length of the first type in an encoding.
std::size_t typeLength(const char* text) {
  std::size_t length = 0;
  while (std::strchr("rnNoORVA^", text[length]) != nullptr && text[length] != 0) length++;
  if (text[length] == '@' && text[length + 1] == '?') return length + 2;
  if (text[length] != '{') return length + 1;
  int depth = 0;
  do {
    if (text[length] == '{') depth++;
    if (text[length] == '}') depth--;
    length++;
  } while (depth > 0);
  return length;
}

/// Bytes of an argument in the frame that the real encodings count: small integers take four.
std::size_t typeSize(const std::string& type) {
  const std::size_t start = type.find_first_not_of('r');
  if (type[start] != '{') return std::strchr("BcCsSiIlLf", type[start]) != nullptr ? 4 : 8;
  std::size_t size = 0;
  for (std::size_t at = type.find('=') + 1; type[at] != '}'; at++) size += 8;
  return size;
}

/// "v@:@Q" as the real runtime writes it: "v32@0:8@16Q24".
std::string withOffsets(const char* encoding) {
  std::vector<std::string> types;
  for (const char* rest = encoding; *rest != 0; rest += types.back().size()) {
    types.emplace_back(rest, typeLength(rest));
  }
  std::string arguments;
  std::size_t offset = 0;
  for (std::size_t index = 1; index < types.size(); index++) {
    arguments += types[index] + std::to_string(offset);
    offset += typeSize(types[index]);
  }
  return types[0] + std::to_string(offset) + arguments;
}

void addTableMethods(Class* into, char kind) {
  for (std::size_t index = 0; index < factCount; index++) {
    const Fact& fact = facts[index];
    if (std::strcmp(fact.owner, into->owner) != 0 || fact.kind != kind) continue;
    if (fact.since > switches().version()) continue;
    auto* made = new Method;
    made->fact = &fact;
    made->encoding = withOffsets(fact.encoding);
    into->methods[selectorNumber(registerSelector(fact.selector))] = made;
  }
}

const Fact* findFact(const Class* owner, const char* selector, char kind) {
  for (const Class* at = owner; at != nullptr; at = at->super) {
    for (std::size_t index = 0; index < factCount; index++) {
      const Fact& fact = facts[index];
      if (fact.kind == kind && std::strcmp(fact.owner, at->owner) == 0 && std::strcmp(fact.selector, selector) == 0) {
        return &fact;
      }
    }
  }
  return nullptr;
}

bool known(const char* owner, bool& protocol) {
  bool found = false;
  for (std::size_t index = 0; index < factCount; index++) {
    if (std::strcmp(facts[index].owner, owner) != 0) continue;
    protocol = facts[index].protocol;
    if (facts[index].since <= switches().version()) found = true;
  }
  return found;
}

Class* newClass(const char* owner, const char* name, Class* super, Class* isa) {
  auto* made = new Class;
  made->owner = owner;
  made->name = name;
  made->super = super;
  made->isa = isa;
  made->meta = isa == nullptr;
  if (super != nullptr) made->methods = super->methods;
  made->methods.resize(tableSelectors());
  return made;
}

}  // namespace

const Method* Class::find(Selector selector) const {
  const std::uint32_t number = selectorNumber(selector);
  return number < methods.size() ? methods[number] : nullptr;
}

Class* defineClass(const char* owner, Class* super, void (*destroy)(Object*), Object* (*allocate)()) {
  bool protocol = false;
  known(owner, protocol);
  Class* root = registry().empty() ? nullptr : registry().front();
  if (super == nullptr) super = root;
  const char* name = owner;
  if (protocol) name = strdup((std::string("Standin") + owner).c_str());
  Class* meta = newClass(owner, name, super == nullptr ? nullptr : super->isa, nullptr);
  Class* made = newClass(owner, name, super, meta);
  meta->allocate = allocate;
  made->destroy = destroy;
  made->allocate = allocate;
  addTableMethods(made, '-');
  addTableMethods(meta, '+');
  registry().push_back(made);
  return made;
}

Class* findClass(const char* name) {
  for (Class* found : registry()) {
    bool protocol = false;
    if (std::strcmp(found->name, name) == 0) return known(found->owner, protocol) ? found : nullptr;
  }
  return nullptr;
}

std::vector<Class*> allClasses() { return registry(); }

void implement(Class* owner, const char* selector, Implementation implementation, const std::string& encoding) {
  const char kind = owner->meta ? '+' : '-';
  const Fact* fact = findFact(owner, selector, kind);
  if (fact == nullptr) violationOutside("%c[%s %s] is not in the table of messages", kind, owner->owner, selector);
  if (encoding != fact->encoding) {
    violationOutside("%c[%s %s] is implemented as %s; the table has %s", kind, owner->owner, selector,
                     encoding.c_str(), fact->encoding);
  }
  if (fact->since > switches().version()) return;
  Method*& place = owner->methods[selectorNumber(registerSelector(selector))];
  const bool inherited = owner->super != nullptr && owner->super->find(registerSelector(selector)) == place;
  if (inherited) place = new Method(*place);
  place->implementation = implementation;
}

bool isKind(const Object* object, const Class* kind) {
  for (const Class* at = object->isa; at != nullptr; at = at->super) {
    if (at == kind) return true;
  }
  return false;
}

}  // namespace standin

using standin::Class;
using standin::Method;
using standin::Object;
using standin::Selector;

STANDIN_API Object* objc_getClass(const char* name) { return name == nullptr ? nullptr : standin::findClass(name); }

STANDIN_API Class* object_getClass(Object* object) {
  if (object == nullptr) return nullptr;
  standin::requireAlive(object, "the argument of object_getClass");
  return object->isa;
}

STANDIN_API const char* object_getClassName(Object* object) { return object ? object_getClass(object)->name : "nil"; }

STANDIN_API const char* class_getName(Class* of) { return of == nullptr ? "nil" : of->name; }

STANDIN_API const Method* class_getInstanceMethod(Class* of, Selector selector) {
  return of == nullptr ? nullptr : of->find(selector);
}

STANDIN_API const Method* class_getClassMethod(Class* of, Selector selector) {
  return of == nullptr ? nullptr : of->isa->find(selector);
}

STANDIN_API bool class_respondsToSelector(Class* of, Selector selector) {
  return class_getInstanceMethod(of, selector) != nullptr;
}

STANDIN_API const char* method_getTypeEncoding(const Method* method) {
  return method == nullptr ? nullptr : method->encoding.c_str();
}

STANDIN_API void* objc_setUncaughtExceptionHandler(void* handler) {
  static std::atomic<void*> current{nullptr};
  return current.exchange(handler);
}
