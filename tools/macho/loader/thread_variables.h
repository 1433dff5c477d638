#pragma once

#include <cstddef>
#include <cstdint>

namespace macho {

// What the variables of a new thread hold.
struct ThreadTemplate {
  std::uint8_t* start = nullptr;
  std::size_t bytes = 0;
};

// Makes an image's descriptors of thread-local variables callable. Each has three words: a function that returns the
// variable's address in the calling thread, a key, and the variable's offset.
void prepareThreadVariables(std::uint8_t* descriptors, std::size_t bytes, const ThreadTemplate& initial);

}  // namespace macho
