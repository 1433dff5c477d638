#include "exports.h"

namespace macho {

std::optional<std::uint64_t> findExport(const std::uint8_t* tree, std::size_t bytes, const std::string& name) {
  if (bytes == 0) return std::nullopt;
  std::size_t matched = 0;
  std::uint64_t node = 0;
  for (;;) {
    if (node >= bytes) throw std::runtime_error("the tree of exports leads out of itself");
    Bytes cursor(tree + node, bytes - node);
    const std::uint64_t terminal = cursor.unsignedNumber();
    if (matched == name.size()) {
      if (terminal == 0) return std::nullopt;
      if (const std::uint64_t flags = cursor.unsignedNumber(); flags != 0) {
        throw std::runtime_error(name + " is exported in a way that is not implemented: " + std::to_string(flags));
      }
      return cursor.unsignedNumber();
    }
    for (std::uint64_t skip = terminal; skip > 0; skip--) cursor.byte();
    bool found = false;
    for (unsigned edges = cursor.byte(); edges > 0 && !found; edges--) {
      const std::string label = cursor.text();
      const std::uint64_t child = cursor.unsignedNumber();
      if (name.compare(matched, label.size(), label) != 0) continue;
      matched += label.size();
      node = child;
      found = true;
    }
    if (!found) return std::nullopt;
  }
}

}  // namespace macho
