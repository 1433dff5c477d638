#include "text.h"

#include <cstring>

#include "../../generated/values.h"
#include "parts.h"

namespace standin {

namespace {

/// What UTF8String points into: it goes when the pool does, and holds nothing sensible from then on.
struct Inner : Object {
  inline static Class* type = nullptr;
  char* bytes;

  explicit Inner(const std::string& text) : bytes(static_cast<char*>(std::malloc(text.size() + 1))) {
    std::memcpy(bytes, text.c_str(), text.size() + 1);
  }
  ~Inner() {
    // The old bytes must be gone even though nothing reads them lawfully.
    volatile char* gone = bytes;
    for (std::size_t index = 0; gone[index] != 0; index++) gone[index] = '?';
    std::free(bytes);
  }
};

Unsigned unitsOfUtf16(const std::string& text) {
  Unsigned units = 0;
  for (const char byte : text) {
    const auto bits = static_cast<unsigned char>(byte);
    if ((bits & 0xc0) != 0x80) units += bits >= 0xf0 ? 2 : 1;
  }
  return units;
}

void requireUtf8(Unsigned encoding) {
  if (encoding != NSUTF8StringEncoding) violation("encoding %lu; the stand-in has UTF-8 (4) alone", encoding);
}

Object* fromBytes(const char* bytes, std::size_t length) {
  const std::string_view text(bytes, length);
  return isUtf8(text) ? lendText(text) : nullptr;
}

}  // namespace

Text* lendText(std::string_view text) { return lend(make<Text>(text)); }

bool isUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || at + more >= text.size()) return false;
    for (std::size_t next = 1; next <= more; next++) {
      if ((static_cast<unsigned char>(text[at + next]) & 0xc0) != 0x80) return false;
    }
    at += more + 1;
  }
  return true;
}

void defineText() {
  Inner::type = defineClass("(bytes of UTF8String)", nullptr, [](Object* object) {
    static_cast<Inner*>(object)->~Inner();
  }, nullptr);
  Class* text = define<Text>("NSString");
  classMethod(text, "stringWithUTF8String:", +[](Class*, Selector, const char* bytes) -> Object* {
    if (bytes == nullptr) violation("NULL raises an exception");
    return fromBytes(bytes, std::strlen(bytes));
  });
  classMethod(text, "stringWithCString:encoding:", +[](Class*, Selector, const char* bytes, Unsigned encoding) -> Object* {
    if (bytes == nullptr) violation("NULL raises an exception");
    requireUtf8(encoding);
    return fromBytes(bytes, std::strlen(bytes));
  });
  method(text, "initWithBytes:length:encoding:",
         +[](Text* self, Selector, const void* bytes, Unsigned length, Unsigned encoding) -> Object* {
           if (bytes == nullptr && length != 0) violation("NULL with a length");
           requireUtf8(encoding);
           const std::string_view text(static_cast<const char*>(bytes), length);
           if (isUtf8(text)) {
             self->value = text;
             return self;
           }
           release(self);
           return nullptr;
         });
  method(text, "UTF8String", +[](Text* self, Selector) -> const char* { return lend(make<Inner>(self->value))->bytes; });
  method(text, "length", +[](Text* self, Selector) -> Unsigned { return unitsOfUtf16(self->value); });
  method(text, "lengthOfBytesUsingEncoding:", +[](Text* self, Selector, Unsigned encoding) -> Unsigned {
    requireUtf8(encoding);
    return self->value.size();
  });
  method(text, "copy", +[](Text* self, Selector) -> Object* { return retain(self); });
  method(text, "description", +[](Text* self, Selector) -> Object* { return lendText(self->value); });
}

}  // namespace standin
