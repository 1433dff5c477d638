// A cursor over a table of a Mach-O file. Reading past the end throws.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace macho {

class Bytes {
 public:
  Bytes(const std::uint8_t* first, std::size_t length) : next_(first), end_(first + length) {}

  bool empty() const { return next_ == end_; }
  std::pair<const std::uint8_t*, std::size_t> rest() const { return {next_, static_cast<std::size_t>(end_ - next_)}; }

  std::uint8_t byte() {
    if (empty()) throw std::runtime_error("a table of the Mach-O file ends too early");
    return *next_++;
  }

  std::uint64_t unsignedNumber() {
    std::uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t part = byte();
      if (shift < 64) number |= static_cast<std::uint64_t>(part & 127) << shift;
      if ((part & 128) == 0) return number;
    }
  }

  std::int64_t signedNumber() {
    std::uint64_t number = 0;
    for (int shift = 0;;) {
      const std::uint8_t part = byte();
      if (shift < 64) number |= static_cast<std::uint64_t>(part & 127) << shift;
      shift += 7;
      if ((part & 128) != 0) continue;
      if (shift < 64 && (part & 64) != 0) number |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(number);
    }
  }

  std::string text() {
    std::string found;
    for (char letter = static_cast<char>(byte()); letter != 0; letter = static_cast<char>(byte())) found += letter;
    return found;
  }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

}  // namespace macho
