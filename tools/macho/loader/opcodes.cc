#include "opcodes.h"

namespace macho {
namespace {

constexpr std::uint64_t wordBytes = 8;

[[noreturn]] void unknown(const char* table, unsigned code) {
  throw std::runtime_error(std::string("unknown code ") + std::to_string(code) + " among the " + table);
}

}  // namespace

void forEachRebase(Bytes table, const std::function<void(const Place&)>& visit) {
  Place place;
  const auto repeat = [&](std::uint64_t count, std::uint64_t skip) {
    for (; count > 0; count--) {
      visit(place);
      place.offset += wordBytes + skip;
    }
  };
  while (!table.empty()) {
    const std::uint8_t code = table.byte();
    const std::uint8_t immediate = code & 15;
    switch (code >> 4) {
      case 0: return;                                                    // the end
      case 1: break;                                                     // type: pointers, the only one of arm64
      case 2: place = {immediate, table.unsignedNumber()}; break;
      case 3: place.offset += table.unsignedNumber(); break;
      case 4: place.offset += immediate * wordBytes; break;
      case 5: repeat(immediate, 0); break;
      case 6: repeat(table.unsignedNumber(), 0); break;
      case 7: repeat(1, table.unsignedNumber()); break;
      case 8: {
        const std::uint64_t count = table.unsignedNumber();
        repeat(count, table.unsignedNumber());
        break;
      }
      default: unknown("rebases", code);
    }
  }
}

void forEachBind(Bytes table, bool lazy, const std::function<void(const Place&, const Import&)>& visit) {
  Place place;
  Import import;
  const auto bind = [&](std::uint64_t skip) {
    visit(place, import);
    place.offset += wordBytes + skip;
  };
  while (!table.empty()) {
    const std::uint8_t code = table.byte();
    const std::uint8_t immediate = code & 15;
    switch (code >> 4) {
      case 0:
        if (!lazy) return;
        break;
      case 1: import.library = immediate; break;
      case 2: import.library = static_cast<std::int64_t>(table.unsignedNumber()); break;
      case 3: import.library = immediate == 0 ? 0 : static_cast<std::int8_t>(0xf0 | immediate); break;
      case 4: import.name = table.text(); break;
      case 5: break;  // type: pointers
      case 6: import.addend = table.signedNumber(); break;
      case 7: place = {immediate, table.unsignedNumber()}; break;
      case 8: place.offset += table.unsignedNumber(); break;
      case 9: bind(0); break;
      case 10: bind(table.unsignedNumber()); break;
      case 11: bind(immediate * wordBytes); break;
      case 12: {
        std::uint64_t count = table.unsignedNumber();
        const std::uint64_t skip = table.unsignedNumber();
        for (; count > 0; count--) bind(skip);
        break;
      }
      default: unknown("binds", code);
    }
  }
}

}  // namespace macho
