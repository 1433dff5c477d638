#include "error.h"

#include "collections.h"
#include "parts.h"
#include "text.h"

namespace standin {

void giveError(Object** place, const char* domain, Integer code, const std::string& text) {
  if (place != nullptr) *place = lend(make<Error>(domain, code, text));
}

void defineError() {
  Class* error = define<Error>("NSError");
  // A string of its own for every call: to keep one, retain it.
  method(error, "localizedDescription", +[](Error* self, Selector) -> Object* { return lendText(self->text); });
  method(error, "domain", +[](Error* self, Selector) -> Object* { return lendText(self->domain); });
  method(error, "code", +[](Error* self, Selector) -> Integer { return self->code; });
  method(error, "userInfo", +[](Error* self, Selector) -> Object* {
    auto* made = lend(make<Dictionary>());
    made->set(lendText("NSLocalizedDescription"), lendText(self->text));
    return made;
  });
  method(error, "description", +[](Error* self, Selector) -> Object* {
    const std::string code = std::to_string(self->code);
    return lendText("Error Domain=" + self->domain + " Code=" + code + " \"" + self->text + "\"");
  });
}

}  // namespace standin
