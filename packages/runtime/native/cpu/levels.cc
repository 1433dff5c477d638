#include "levels.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace metile {

#if defined(__x86_64__)
namespace {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers query(unsigned leaf, unsigned part = 0) {
  Registers r;
  if (__get_cpuid_count(leaf, part, &r.a, &r.b, &r.c, &r.d) == 0) return Registers{};
  return r;
}

bool has(unsigned bits, std::initializer_list<int> positions) {
  for (const int position : positions) {
    if ((bits >> position & 1) == 0) return false;
  }
  return true;
}

// State that the operating system keeps across a switch of threads.
std::uint64_t enabledState() {
  unsigned low = 0;
  unsigned high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<std::uint64_t>(high) << 32 | low;
}

}  // namespace

std::vector<std::string> instructionLevels() {
  std::vector<std::string> levels;
  const Registers basic = query(1);
  const Registers extended = query(7);
  const Registers more = query(0x80000001);
  // SSE3, SSSE3, FMA, CX16, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C
  if (!has(basic.c, {0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29})) return levels;
  const std::uint64_t state = enabledState();
  // BMI1, AVX2, BMI2; LZCNT; xmm and ymm registers
  if (!has(extended.b, {3, 5, 8}) || !has(more.c, {5}) || (state & 0x6) != 0x6) return levels;
  levels.emplace_back("v3");
  // F, DQ, CD, BW, VL; mask and zmm registers
  if (!has(extended.b, {16, 17, 28, 30, 31}) || (state & 0xe6) != 0xe6) return levels;
  levels.emplace_back("v4");
  return levels;
}

std::string processorName() {
  char text[49] = {};
  for (unsigned leaf = 0; leaf < 3; leaf++) {
    const Registers r = query(0x80000002 + leaf);
    std::memcpy(text + leaf * 16, &r, 16);
  }
  std::string name = text;
  const auto first = name.find_first_not_of(' ');
  if (first == std::string::npos) return "unknown";
  return name.substr(first, name.find_last_not_of(' ') - first + 1);
}

#elif defined(__aarch64__)

std::vector<std::string> instructionLevels() { return {"arm64"}; }

std::string processorName() {
#if defined(__APPLE__)
  char text[128] = {};
  std::size_t length = sizeof text - 1;
  if (sysctlbyname("machdep.cpu.brand_string", text, &length, nullptr, 0) == 0 && text[0] != 0) return text;
#else
  char text[128] = {};
  if (std::FILE* file = std::fopen("/sys/firmware/devicetree/base/model", "re")) {
    const bool found = std::fgets(text, sizeof text, file) != nullptr;
    std::fclose(file);
    if (found && text[0] != 0) return text;
  }
#endif
  return "unknown";
}

#else

std::vector<std::string> instructionLevels() { return {}; }
std::string processorName() { return "unknown"; }

#endif

}  // namespace metile
