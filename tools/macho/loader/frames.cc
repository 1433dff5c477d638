#include "frames.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "format.h"

// Of LLVM's libunwind, which is part of this library: one entry of an .eh_frame section.
extern "C" void __unw_add_dynamic_fde(std::uintptr_t entry);

namespace macho {
namespace {

constexpr std::uint8_t framePointer = 29, link = 30;

// Pairs of registers that a function may save below its frame pointer, in the order of their places.
struct SavedPair {
  std::uint32_t bit;
  std::uint8_t first;  // DWARF's numbers: 0 and up for x, 64 and up for d
};
constexpr SavedPair savedPairs[] = {{0x001, 19}, {0x002, 21}, {0x004, 23},      {0x008, 25},     {0x010, 27},
                                    {0x100, 72}, {0x200, 74}, {0x400, 64 + 12}, {0x800, 64 + 14}};

// Writes the two entries of an .eh_frame section, with absolute addresses throughout.
class Writer {
 public:
  void byte(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void text(const char* value) { bytes_.append(value, std::strlen(value) + 1); }
  template <typename Number>
  void number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::size_t begin() {
    number(std::uint32_t{0});  // the length, once it is known
    return bytes_.size();
  }
  void end(std::size_t start) {
    while (bytes_.size() % 8 != 0) byte(0);  // DW_CFA_nop
    const auto length = static_cast<std::uint32_t>(bytes_.size() - start);
    std::memcpy(&bytes_[start - sizeof length], &length, sizeof length);
  }
  std::size_t size() const { return bytes_.size(); }
  const char* data() const { return bytes_.data(); }

 private:
  std::string bytes_;
};

void writeRules(Writer& writer, std::uint32_t encoding) {
  constexpr std::uint8_t defineFrame = 0x0c, offset = 0x80, offsetExtended = 0x05;
  writer.byte(defineFrame);  // the frame begins 16 bytes above the frame pointer
  writer.byte(framePointer);
  writer.byte(16);
  std::uint8_t place = 1;  // in words below that
  const auto saved = [&](std::uint8_t number) {
    if (number < 64) {
      writer.byte(offset | number);
    } else {
      writer.byte(offsetExtended);
      writer.byte(number);
    }
    writer.byte(place++);
  };
  saved(link);
  saved(framePointer);
  for (const SavedPair& pair : savedPairs) {
    if ((encoding & pair.bit) == 0) continue;
    saved(pair.first);
    saved(static_cast<std::uint8_t>(pair.first + 1));
  }
}

void writeCommon(Writer& writer, const Frame& frame) {
  constexpr std::uint8_t absolute = 0x00, version = 1, indirect = 0x80;
  const std::size_t start = writer.begin();
  writer.number(std::uint32_t{0});  // an entry that others refer to
  writer.byte(version);
  writer.text(frame.personality != nullptr ? "zPLR" : "zR");
  writer.byte(1);     // addresses count in bytes
  writer.byte(0x78);  // places in words, downwards: -8
  writer.byte(link);
  writer.byte(frame.personality != nullptr ? 11 : 1);  // length of what follows
  if (frame.personality != nullptr) {
    writer.byte(absolute | indirect);
    writer.number(frame.personality);
    writer.byte(absolute);
  }
  writer.byte(absolute);
  writeRules(writer, frame.encoding);
  writer.end(start);
}

}  // namespace

void registerFrame(const Frame& frame) {
  Writer writer;
  writeCommon(writer, frame);
  const std::size_t own = writer.size();
  const std::size_t start = writer.begin();
  writer.number(static_cast<std::uint32_t>(start));  // how far back the common entry begins
  writer.number(frame.code);
  writer.number(frame.bytes);
  writer.byte(frame.personality != nullptr ? 8 : 0);
  if (frame.personality != nullptr) writer.number(frame.handlers);
  writer.end(start);
  // The unwinder keeps the address for good.
  char* kept = static_cast<char*>(::operator new(writer.size()));
  std::memcpy(kept, writer.data(), writer.size());
  __unw_add_dynamic_fde(reinterpret_cast<std::uintptr_t>(kept + own));
}

}  // namespace macho
