#include "host.h"

#include <dlfcn.h>

#include <cstring>
#include <map>
#include <mutex>

namespace {

std::map<std::string, void (*)()>& cases() {
  static std::map<std::string, void (*)()> all;
  return all;
}

void* library() {
  static void* const opened = dlopen(std::getenv("METILE_METAL_STANDIN"), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    std::printf("%s\n", dlerror());
    std::_Exit(1);
  }
  return opened;
}

}  // namespace

void* functionNamed(const char* name) {
  static std::mutex mutex;
  static std::map<const char*, void*> known;  // literals: their addresses do as keys
  const std::lock_guard lock(mutex);
  void*& found = known[name];
  if (found == nullptr) found = dlsym(library(), name);
  if (found == nullptr) {
    std::printf("the library has no %s\n", name);
    std::_Exit(1);
  }
  return found;
}

Name selector(const char* name) { return function<Name(const char*)>("sel_registerName")(name); }

Id classNamed(const char* name) { return function<Id(const char*)>("objc_getClass")(name); }

void retain(Id object) { function<Id(Id)>("objc_retain")(object); }

void release(Id object) { function<void(Id)>("objc_release")(object); }

long counter(const char* name) { return function<long()>(name)(); }

Id text(const std::string& value) {
  return send<Id(const char*)>(classNamed("NSString"), "stringWithUTF8String:", value.c_str());
}

std::string string(Id text) {
  const char* bytes = send<const char*()>(text, "UTF8String");
  return bytes == nullptr ? "" : bytes;
}

Case::Case(const char* name, void (*run)()) { cases()[name] = run; }

int main(int count, char** words) {
  const auto found = cases().find(count > 1 ? words[1] : "");
  if (found == cases().end()) {
    for (const auto& [name, run] : cases()) std::printf("%s\n", name.c_str());
    return count > 1 ? 2 : 0;
  }
  found->second();
  std::printf("ok\n");
  return 0;
}
