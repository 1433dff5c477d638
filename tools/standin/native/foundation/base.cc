// NSObject: what every object answers.

#include "../runtime/counters.h"
#include "parts.h"
#include "text.h"

namespace standin {

namespace {

Object* allocate(Class* self) {
  if (self->allocate == nullptr) violation("objects of this class are made by Metal alone");
  Object* made = self->allocate();
  if (made->isa == self) return made;
  // A class that has no type of its own here: a plain object that knows its class.
  made->isa->live.fetch_sub(1);
  counters().objects.fetch_sub(1);
  adoptClass(made, self);
  return made;
}

}  // namespace

struct Plain : Object {
  inline static Class* type = nullptr;
};

void defineObject() {
  Class* object = define<Plain>("NSObject");
  object->isa->super = object;  // classes answer what objects do
  for (std::size_t number = 0; number < object->methods.size(); number++) {
    if (object->isa->methods[number] == nullptr) object->isa->methods[number] = object->methods[number];
  }
  classMethod(object, "alloc", +[](Class* self, Selector) -> Object* { return allocate(self); });
  classMethod(object, "new", +[](Class* self, Selector) -> Object* { return allocate(self); });
  method(object, "init", +[](Object* self, Selector) -> Object* { return self; });
  method(object, "retain", +[](Object* self, Selector) -> Object* { return retain(self); });
  method(object, "release", +[](Object* self, Selector) { release(self); });
  method(object, "autorelease", +[](Object* self, Selector) -> Object* { return autorelease(self); });
  method(object, "retainCount", +[](Object* self, Selector) -> Unsigned {
    return static_cast<Unsigned>(self->references.load());
  });
  method(object, "respondsToSelector:", +[](Object* self, Selector, Selector selector) -> bool {
    return self->isa->find(selector) != nullptr;
  });
  method(object, "description", +[](Object* self, Selector) -> Object* {
    char text[128];
    std::snprintf(text, sizeof text, "<%s: %p>", self->isa->name, static_cast<void*>(self));
    return lendText(text);
  });
}

}  // namespace standin
