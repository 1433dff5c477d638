// NSProcessInfo, NSAutoreleasePool and NSURL.

#include "../runtime/pool.h"
#include "../runtime/switches.h"
#include "parts.h"
#include "text.h"

namespace standin {

namespace {

struct ProcessInfo : Object {
  inline static Class* type = nullptr;
};

struct PoolObject : Object {
  inline static Class* type = nullptr;
  void* token = pushPool();

  ~PoolObject() { popPool(token); }
};

struct Url : Object {
  inline static Class* type = nullptr;
  std::string path;
};

}  // namespace

void defineProcess() {
  Class* process = define<ProcessInfo>("NSProcessInfo");
  classMethod(process, "processInfo", +[](Class*, Selector) -> Object* {
    static Object* only = make<ProcessInfo>();
    return only;
  });
  method(process, "operatingSystemVersion", +[](ProcessInfo*, Selector) -> SystemVersion {
    return {switches().systemMajor, switches().systemMinor, 0};
  });
  method(process, "isOperatingSystemAtLeastVersion:", +[](ProcessInfo*, Selector, SystemVersion asked) -> bool {
    return asked.major * 100 + asked.minor <= switches().version();
  });

  Class* pool = define<PoolObject>("NSAutoreleasePool");
  classMethod(pool, "alloc", +[](Class*, Selector) -> Object* { return make<PoolObject>(); });
  method(pool, "drain", +[](PoolObject* self, Selector) { release(self); });

  Class* url = define<Url>("NSURL");
  classMethod(url, "fileURLWithPath:", +[](Class*, Selector, Object* path) -> Object* {
    auto* made = lend(make<Url>());
    made->path = need<Text>(path, "the path")->value;
    return made;
  });
}

}  // namespace standin
