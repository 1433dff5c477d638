#include "collections.h"

#include "parts.h"
#include "text.h"

namespace standin {

namespace {

bool equal(Object* one, Object* other) {
  if (one == other) return true;
  if (!isKind(one, Text::type) || !isKind(other, Text::type)) return false;
  return static_cast<Text*>(one)->value == static_cast<Text*>(other)->value;
}

Object* item(Object* object, Unsigned index) {
  if (object == nullptr) violation("nil at index %lu raises an exception", index);
  requireAlive(object, "an item");
  return object;
}

void defineArray() {
  Class* array = define<Array>("NSArray");
  classMethod(array, "arrayWithObjects:count:",
              +[](Class*, Selector, Object* const* objects, Unsigned count) -> Object* {
                auto* made = lend(make<Array>());
                for (Unsigned index = 0; index < count; index++) {
                  made->items.push_back(Reference<Object>::keep(item(objects[index], index)));
                }
                return made;
              });
  classMethod(array, "arrayWithObject:", +[](Class*, Selector, Object* object) -> Object* {
    auto* made = lend(make<Array>());
    made->items.push_back(Reference<Object>::keep(item(object, 0)));
    return made;
  });
  method(array, "count", +[](Array* self, Selector) -> Unsigned { return self->items.size(); });
  method(array, "objectAtIndex:", +[](Array* self, Selector, Unsigned index) -> Object* {
    if (index >= self->items.size()) {
      violation("index %lu beyond bounds [0 .. %zu): NSRangeException", index, self->items.size());
    }
    return self->items[index].get();
  });
  method(array, "copy", +[](Array* self, Selector) -> Object* { return retain(self); });
}

}  // namespace

Object* Dictionary::find(Object* key) const {
  for (const auto& [held, value] : entries) {
    if (equal(held.get(), key)) return value.get();
  }
  return nullptr;
}

void Dictionary::set(Object* key, Object* value) {
  for (auto& entry : entries) {
    if (!equal(entry.first.get(), key)) continue;
    entry.second = Reference<Object>::keep(value);
    return;
  }
  entries.emplace_back(Reference<Object>::keep(key), Reference<Object>::keep(value));
}

void defineCollections() {
  defineArray();
  Class* dictionary = define<Dictionary>("NSDictionary");
  classMethod(dictionary, "dictionaryWithObjects:forKeys:count:",
              +[](Class*, Selector, Object* const* objects, Object* const* keys, Unsigned count) -> Object* {
                auto* made = lend(make<Dictionary>());
                for (Unsigned index = 0; index < count; index++) {
                  made->set(item(keys[index], index), item(objects[index], index));
                }
                return made;
              });
  method(dictionary, "objectForKey:", +[](Dictionary* self, Selector, Object* key) -> Object* {
    return key == nullptr ? nullptr : self->find(key);
  });
  method(dictionary, "copy", +[](Dictionary* self, Selector) -> Object* { return retain(self); });
}

}  // namespace standin
