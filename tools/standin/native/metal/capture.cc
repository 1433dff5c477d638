// MTLCaptureManager: there is nothing to capture with.

#include "../../generated/values.h"
#include "../foundation/error.h"
#include "parts.h"

namespace standin {

namespace {

struct CaptureManager : Object {
  inline static Class* type = nullptr;
};

}  // namespace

void defineCapture() {
  Class* manager = define<CaptureManager>("MTLCaptureManager");
  classMethod(manager, "sharedCaptureManager", +[](Class*, Selector) -> Object* {
    static Object* only = make<CaptureManager>();
    return only;
  });
  method(manager, "supportsDestination:", +[](CaptureManager*, Selector, Integer) { return false; });
  method(manager, "isCapturing", +[](CaptureManager*, Selector) { return false; });
  method(manager, "startCaptureWithDescriptor:error:", +[](CaptureManager*, Selector, Object*, Object** error) {
    giveError(error, "MTLCaptureErrorDomain", MTLCaptureErrorNotSupported, "capturing is not supported");
    return false;
  });
  method(manager, "stopCapture", +[](CaptureManager*, Selector) { violation("nothing is being captured"); });
}

}  // namespace standin
