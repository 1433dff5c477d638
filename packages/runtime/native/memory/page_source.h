// Where an arena gets its memory from: the system's pages, or buffers of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metile {

struct Pages {
  std::byte* start = nullptr;  // where the host sees them; null: refused
  void* handle = nullptr;      // what a GPU knows them by
  std::size_t length = 0;
};

class PageSource {
 public:
  virtual ~PageSource() = default;

  // At least so many bytes.
  virtual Pages map(std::size_t bytes) noexcept = 0;
  virtual void unmap(const Pages& pages) noexcept = 0;

  // Whether fresh pages hold zeros.
  virtual bool zeroed() const noexcept = 0;

  // What blocks begin at multiples of; 0 where they are best spread over a page, as a processor's caches want it.
  virtual std::size_t alignment() const noexcept { return 0; }

  // Makes the pages untouched zeros again; false where the source cannot.
  virtual bool drop(const Pages& pages) noexcept = 0;
};

}  // namespace metile
