// Memory of buffers: page aligned, fenced, and never left as it was.
#pragma once

#include <cstddef>

namespace standin {

constexpr std::size_t pageBytes = 16384;  // of Apple silicon

inline std::size_t roundToPage(std::size_t bytes) { return (bytes + pageBytes - 1) / pageBytes * pageBytes; }

/// Null when the limit is reached or a failure was asked for. New memory holds NaN in every float type.
void* allocateMemory(std::size_t bytes);

/// A late access to a large piece ends the program; a small one is overwritten and its memory kept for a while.
void freeMemory(void* memory, std::size_t bytes);

/// The next so many allocations of buffers give nil.
void failAllocations(long count);

}  // namespace standin
