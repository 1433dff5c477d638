#include "missing.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace macho {
namespace {

[[noreturn]] void report(const char* name) {
  std::fprintf(stderr, "macho: %s was called, which the loader does not have\n", name);
  std::abort();
}

struct Trampoline {
  std::uint32_t code[4] = {
      0x58000080,  // ldr x0, name
      0x580000b0,  // ldr x16, function
      0xd61f0200,  // br x16
      0xd503201f,  // nop
  };
  const char* name;
  void (*function)(const char*);
};

}  // namespace

void* makeMissing(const std::string& name) {
  // A page each: there are few, and a page that is written to cannot be executed at the same time.
  void* page = mmap(nullptr, sizeof(Trampoline), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error("no memory for " + name);
  Trampoline trampoline;
  trampoline.name = strdup(name.c_str());
  trampoline.function = report;
  std::memcpy(page, &trampoline, sizeof trampoline);
  mprotect(page, sizeof trampoline, PROT_READ | PROT_EXEC);
  __builtin___clear_cache(static_cast<char*>(page), static_cast<char*>(page) + sizeof trampoline);
  if (std::getenv("METILE_MACHO_TRACE") != nullptr) std::fprintf(stderr, "macho: unknown import %s\n", name.c_str());
  return page;
}

}  // namespace macho
