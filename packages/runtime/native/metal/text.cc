#include "text.h"

#include "messages.h"

namespace metile::metal {

using objc::id;
using objc::runtime;

id toString(const std::string& text) { return send::stringWithUTF8String(runtime.getClass("NSString"), text.c_str()); }

std::string fromString(id string) {
  const char* text = send::UTF8String(string);  // lives as long as the pool
  return text == nullptr ? std::string() : std::string(text);
}

std::string describe(id error) {
  const std::string text = fromString(send::localizedDescription(error));
  return text.empty() ? "no reason given" : text;
}

id toDictionary(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<id> keys;
  std::vector<id> values;
  for (const auto& [key, value] : pairs) {
    keys.push_back(toString(key));
    values.push_back(toString(value));
  }
  return send::dictionaryWithObjects(runtime.getClass("NSDictionary"), values.data(), keys.data(), keys.size());
}

objc::Reference make(const char* className) {
  return objc::Reference::adopt(send::init(send::alloc(runtime.getClass(className))));
}

}  // namespace metile::metal
