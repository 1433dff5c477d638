// Selectors: names that are registered once. What stands before the text tells a selector from any other string.

#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

#include "class.h"
#include "violation.h"

namespace standin {

namespace {

constexpr std::uint32_t mark = 0x53454c31;

struct Header {
  std::uint32_t mark;
  std::uint32_t number;
};

struct Registry {
  std::mutex mutex;
  std::unordered_map<std::string, Selector> byName;
  std::uint32_t tableSelectors = 0;

  Registry() {
    for (std::size_t index = 0; index < factCount; index++) find(facts[index].selector);
    tableSelectors = static_cast<std::uint32_t>(byName.size());
  }

  Selector find(const char* name) {
    const auto [place, isNew] = byName.try_emplace(name, nullptr);
    if (isNew) {
      const std::size_t length = std::strlen(name) + 1;
      auto* memory = static_cast<char*>(std::malloc(sizeof(Header) + length));
      new (memory) Header{mark, static_cast<std::uint32_t>(byName.size() - 1)};
      std::memcpy(memory + sizeof(Header), name, length);
      place->second = reinterpret_cast<Selector>(memory + sizeof(Header));
    }
    return place->second;
  }
};

Registry& registry() {
  static auto* only = new Registry;
  return *only;
}

}  // namespace

Selector registerSelector(const char* name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return all.find(name);
}

const char* selectorName(Selector selector) { return reinterpret_cast<const char*>(selector); }

std::uint32_t tableSelectors() { return registry().tableSelectors; }

std::uint32_t selectorNumber(Selector selector) {
  if (selector == nullptr) violationOutside("a message without a selector");
  Header header;
  std::memcpy(&header, reinterpret_cast<const char*>(selector) - sizeof header, sizeof header);
  if (header.mark != mark) violationOutside("a message with a selector that sel_registerName did not make");
  return header.number;
}

}  // namespace standin

STANDIN_API standin::Selector sel_registerName(const char* name) {
  if (name == nullptr) return nullptr;
  return standin::registerSelector(name);
}

STANDIN_API const char* sel_getName(standin::Selector selector) { return standin::selectorName(selector); }
