#include "imports.h"

#include <dlfcn.h>

#include <stdexcept>
#include <unordered_map>

#include "format.h"
#include "missing.h"

namespace macho {
namespace {

using Table = std::unordered_map<std::string, void*>;

Table tableOf(std::initializer_list<std::vector<Provided>> parts) {
  Table table;
  for (const auto& part : parts) {
    for (const Provided& provided : part) table.emplace(provided.name, provided.address);
  }
  return table;
}

const Table& systemTable() {
  static const auto* table = new Table(tableOf({threadFunctions(), memoryFunctions(), libraryFunctions(), textFunctions(),
                                                clockFunctions(), plainFunctions()}));
  return *table;
}

const Table& cxxTable() {
  static const auto* table = new Table(tableOf({cxxSymbols()}));
  return *table;
}

void* findIn(const Table& table, const std::string& name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

void* findInNode(const std::string& name) {
  const bool ofNode = name.rfind("_napi_", 0) == 0 || name.rfind("_node_api_", 0) == 0;
  if (!ofNode) throw std::runtime_error(name + " is looked up in the whole process; on macOS only Node's functions are there");
  return dlsym(RTLD_DEFAULT, name.c_str() + 1);
}

void* findInLibrary(const std::string& library, const std::string& name) {
  if (library == "/usr/lib/libc++.1.dylib") return findIn(cxxTable(), name);
  if (library == "/usr/lib/libSystem.B.dylib") return findIn(systemTable(), name);
  throw std::runtime_error("no stand-in for " + library);
}

}  // namespace

void* resolveImport(const Import& import, const std::vector<std::string>& libraries) {
  void* found = nullptr;
  if (import.library == ordinalFlat) {
    found = findInNode(import.name);
  } else if (import.library < 1 || import.library > static_cast<std::int64_t>(libraries.size())) {
    throw std::runtime_error(import.name + " comes from library " + std::to_string(import.library) + ", which is not named");
  } else {
    found = findInLibrary(libraries[static_cast<std::size_t>(import.library) - 1], import.name);
  }
  return found != nullptr ? found : makeMissing(import.name);
}

void* findSystemSymbol(const std::string& name) { return findIn(systemTable(), name); }

}  // namespace macho
