// Memory of a device. Blocks go back to a cache by size and are reused at once, in the order of the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../stream/block.h"
#include "page_source.h"
#include "size_class.h"

namespace metile {

// Not synchronised: the stream's lock is held around every call.
class Arena {
 public:
  Arena(PageSource& source, std::uint64_t limit);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // A block of at least `bytes`, aligned to 64. With `idle`, one that no pending command uses. Null when there is none.
  Block* take(std::uint64_t bytes, std::uint64_t completed, bool idle);
  void give(Block* block, std::uint64_t completed);

  // Returns cached blocks that no pending command uses to the system.
  void trim(std::uint64_t completed);

  // Turns an idle large block into untouched zeros; false where writing zeros costs less.
  bool discard(Block* block);

  // Bytes of the largest block that a source of no more than so many bytes at a time can give: blocks come in sizes.
  std::uint64_t largestWithin(std::uint64_t bytes) const;

  std::uint64_t used() const { return used_; }
  std::uint64_t cached() const { return cached_; }
  std::uint64_t limit() const { return limit_; }
  void setLimit(std::uint64_t bytes) { limit_ = bytes; }

 private:
  struct Region;

  Block* fromCache(std::uint32_t sizeClass, std::uint64_t completed, bool idle);
  Block* fromRegion(std::uint32_t sizeClass);
  Block* fromSystem(std::uint32_t sizeClass);
  Block* make(Region* region, std::size_t offset, std::uint32_t sizeClass);
  void unmap(Block* block);
  void shrink(std::uint64_t most, std::uint64_t completed);
  void trimRegions(std::uint64_t completed);

  PageSource& source_;
  std::vector<Block*> free_[sizeClassCount];
  std::vector<std::unique_ptr<Region>> shared_;  // regions that hold many small blocks
  Region* current_ = nullptr;                    // of them, the one that still has room
  std::uint64_t used_ = 0;
  std::uint64_t cached_ = 0;
  std::uint64_t limit_;
  std::uint64_t cacheLimit_;
  std::uint32_t colour_ = 0;
};

}  // namespace metile
