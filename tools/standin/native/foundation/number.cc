#include "number.h"

#include "parts.h"
#include "text.h"

namespace standin {

void defineNumber() {
  Class* number = define<Number>("NSNumber");
  classMethod(number, "numberWithInt:", +[](Class*, Selector, int value) -> Object* {
    return lend(make<Number>(std::to_string(value)));
  });
  classMethod(number, "numberWithUnsignedLongLong:", +[](Class*, Selector, Unsigned value) -> Object* {
    return lend(make<Number>(std::to_string(value)));
  });
  classMethod(number, "numberWithDouble:", +[](Class*, Selector, double value) -> Object* {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return lend(make<Number>(text));
  });
  method(number, "copy", +[](Number* self, Selector) -> Object* { return retain(self); });
  method(number, "description", +[](Number* self, Selector) -> Object* { return lendText(self->text); });
}

}  // namespace standin
