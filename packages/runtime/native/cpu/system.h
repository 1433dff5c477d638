// What differs between Linux and macOS: pages, physical memory, cores.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metile::system {

constexpr std::size_t hugePage = 2u << 20;

// Fresh pages of zeros, aligned to a huge page and backed by huge pages where the system has them; null when refused.
// Nothing is touched: untouched pages cost nothing.
void* mapPages(std::size_t bytes);
void unmapPages(void* start, std::size_t bytes);

// Mapped pages become untouched zeros again; false where the system cannot.
bool dropPages(void* start, std::size_t bytes);

// Bytes of memory that this process may use: physical memory, or less in a container.
std::uint64_t physicalMemory();

// Cores that this process may run on, at least 1.
unsigned cores();

}  // namespace metile::system
