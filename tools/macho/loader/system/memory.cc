// Pages and facts about the machine.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../format.h"
#include "../imports.h"

namespace macho {
namespace {

void* map(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  constexpr int appleFixed = 0x10, appleNoReserve = 0x40, appleAnonymous = 0x1000;
  constexpr int known = MAP_SHARED | MAP_PRIVATE | appleFixed | appleNoReserve | appleAnonymous;
  if ((flags & ~known) != 0) {
    std::fprintf(stderr, "macho: mmap with flags 0x%x, which the loader does not know\n", flags);
    std::abort();
  }
  const int native = (flags & (MAP_SHARED | MAP_PRIVATE)) | (flags & appleFixed ? MAP_FIXED : 0) |
                     (flags & appleNoReserve ? MAP_NORESERVE : 0) | (flags & appleAnonymous ? MAP_ANONYMOUS : 0);
  return mmap(address, bytes, protection, native, file, offset);
}

long configuration(int name) {
  switch (name) {  // macOS's numbers
    case 29: return pageBytes;
    case 57: return sysconf(_SC_NPROCESSORS_CONF);
    case 58: return sysconf(_SC_NPROCESSORS_ONLN);
    case 200: return sysconf(_SC_PHYS_PAGES) / static_cast<long>(pageBytes / static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    default:
      std::fprintf(stderr, "macho: sysconf(%d), which the loader does not know\n", name);
      std::abort();
  }
}

int give(void* target, std::size_t* length, const void* source, std::size_t bytes) {
  if (target != nullptr && *length < bytes) return errno = ENOMEM, -1;
  if (target != nullptr) std::memcpy(target, source, bytes);
  *length = bytes;
  return 0;
}

// Facts that differ from system to system come from the environment, so that a test can choose them.
std::string textFact(const std::string& name) {
  if (name == "machdep.cpu.brand_string") return "Apple M0 (loader)";
  if (name == "hw.model") return "Mac0,0";
  if (name == "kern.osproductversion") {
    const char* version = std::getenv("METILE_MACHO_SYSTEM");
    return version != nullptr ? version : "15.1";
  }
  return "";
}

std::uint64_t numberFact(const std::string& name) {
  if (name == "hw.pagesize") return pageBytes;
  if (name == "hw.memsize") return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return 0;
}

std::uint32_t smallFact(const std::string& name) {
  const bool cores = name == "hw.ncpu" || name == "hw.logicalcpu" || name == "hw.physicalcpu" || name == "hw.activecpu";
  return cores ? static_cast<std::uint32_t>(sysconf(_SC_NPROCESSORS_ONLN)) : 0;
}

int factByName(const char* name, void* target, std::size_t* length, void*, std::size_t) {
  if (const std::string text = textFact(name); !text.empty()) return give(target, length, text.c_str(), text.size() + 1);
  if (const std::uint64_t number = numberFact(name); number != 0) return give(target, length, &number, sizeof number);
  if (const std::uint32_t number = smallFact(name); number != 0) return give(target, length, &number, sizeof number);
  return errno = ENOENT, -1;
}

}  // namespace

std::vector<Provided> memoryFunctions() {
  return {
      provide("_mmap", map),
      provide("_munmap", munmap),
      provide("_mprotect", mprotect),
      provide("_sysconf", configuration),
      provide("_getpagesize", +[] { return static_cast<int>(pageBytes); }),
      provide("_sysctlbyname", factByName),
  };
}

}  // namespace macho
