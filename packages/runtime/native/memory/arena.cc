#include "arena.h"

#include <algorithm>


namespace metile {
namespace {

// Blocks from here on have pages of their own; smaller ones share regions.
constexpr std::uint64_t largeBlock = 2 << 20;
constexpr std::size_t regionBytes = 16 << 20;

// Equal low 12 bits of addresses that are read and written in step stall a core, so that bases are spread over a page:
// 25 lines is a step after which the 64 positions come in an order without near neighbours.
constexpr std::size_t page = 4096;
constexpr std::size_t line = 64;
constexpr std::size_t colourStep = 25 * line;

// Above this, returning pages and letting them fault in again is better than writing zeros to pages perhaps never read.
constexpr std::uint64_t discardBytes = 1ull << 30;

// A larger class may serve a large request, up to this many classes further (an eighth of a power of two each).
constexpr std::uint32_t classesAbove = 2;

// Idle blocks are asked for to stage what the host writes while the queue runs ahead. They go back within moments, and few
// of a class are idle at a time: up to a doubling serves, lest every class keep as many as were ever in flight.
constexpr std::uint32_t classesAboveIdle = 8;

}  // namespace

struct Arena::Region {
  Pages pages;
  std::size_t carved = 0;
  std::size_t taken = 0;  // blocks that are not in the cache
  bool leaving = false;
};

Arena::Arena(PageSource& source, std::uint64_t limit) : source_(source), limit_(limit), cacheLimit_(limit / 2) {}

Arena::~Arena() = default;

Block* Arena::take(std::uint64_t bytes, std::uint64_t completed, bool idle) {
  if (bytes > largestBlock) return nullptr;
  const std::uint32_t sizeClass = sizeClassOf(bytes);
  const std::uint64_t capacity = bytesOfSizeClass(sizeClass);
  Block* block = fromCache(sizeClass, completed, idle);
  if (block == nullptr) {
    if (used_ + cached_ + capacity > limit_) shrink(limit_ > used_ + capacity ? limit_ - used_ - capacity : 0, completed);
    block = capacity < largeBlock ? fromRegion(sizeClass) : fromSystem(sizeClass);
    if (block == nullptr) {
      trim(completed);
      block = capacity < largeBlock ? fromRegion(sizeClass) : fromSystem(sizeClass);
    }
  }
  if (block == nullptr) return nullptr;
  static_cast<Region*>(block->region)->taken += 1;
  used_ += block->capacity;
  return block;
}

Block* Arena::fromCache(std::uint32_t sizeClass, std::uint64_t completed, bool idle) {
  const std::uint32_t above = idle ? classesAboveIdle : bytesOfSizeClass(sizeClass) >= largeBlock ? classesAbove : 0;
  const std::uint32_t last = std::min(sizeClass + above, sizeClassCount - 1);
  for (std::uint32_t candidate = sizeClass; candidate <= last; candidate++) {
    std::vector<Block*>& blocks = free_[candidate];
    // The one used last is the warmest; the one used longest ago is the likeliest to be idle.
    if (blocks.empty()) continue;
    auto found = idle ? blocks.begin() : blocks.end() - 1;
    if (idle && (*found)->lastUse > completed) continue;
    Block* block = *found;
    blocks.erase(found);
    cached_ -= block->capacity;
    return block;
  }
  return nullptr;
}

Block* Arena::make(Region* region, std::size_t offset, std::uint32_t sizeClass) {
  Block* block = new Block;
  block->data = region->pages.start + offset;
  block->handle = region->pages.handle;
  block->start = offset;
  block->capacity = bytesOfSizeClass(sizeClass);
  block->zero = source_.zeroed();
  block->sizeClass = sizeClass;
  block->region = region;
  return block;
}

Block* Arena::fromRegion(std::uint32_t sizeClass) {
  const std::size_t bytes = bytesOfSizeClass(sizeClass);
  const std::size_t alignment = source_.alignment();
  const std::size_t spread = bytes < page ? bytes : bytes < 4 * page ? bytes + 5 * line : bytes + colourStep;
  const std::size_t stride = alignment == 0 ? spread : (bytes + alignment - 1) / alignment * alignment;
  if (current_ == nullptr || current_->pages.length - current_->carved < stride) {
    const Pages pages = source_.map(regionBytes);
    if (pages.start == nullptr) return nullptr;
    auto region = std::make_unique<Region>();
    region->pages = pages;
    current_ = region.get();
    shared_.push_back(std::move(region));
  }
  Block* block = make(current_, current_->carved, sizeClass);
  current_->carved += stride;
  return block;
}

Block* Arena::fromSystem(std::uint32_t sizeClass) {
  const Pages pages = source_.map(bytesOfSizeClass(sizeClass) + page);
  if (pages.start == nullptr) return nullptr;
  auto* region = new Region;
  region->pages = pages;
  if (source_.alignment() != 0) return make(region, 0, sizeClass);
  colour_ = (colour_ + 1) % (page / line);
  return make(region, colour_ * colourStep % page, sizeClass);
}

std::uint64_t Arena::largestWithin(std::uint64_t bytes) const {
  constexpr std::uint64_t granularity = 16 << 10;  // a source may round to as much, and fromSystem adds a page
  std::uint64_t largest = 0;
  for (std::uint32_t sizeClass = 0; sizeClass < sizeClassCount; sizeClass++) {
    const std::uint64_t capacity = bytesOfSizeClass(sizeClass);
    if ((capacity + page + granularity - 1) / granularity * granularity <= bytes) largest = capacity;
  }
  return largest;
}

void Arena::give(Block* block, std::uint64_t completed) {
  static_cast<Region*>(block->region)->taken -= 1;
  used_ -= block->capacity;
  cached_ += block->capacity;
  free_[block->sizeClass].push_back(block);
  if (cached_ > cacheLimit_) shrink(cacheLimit_, completed);
}

void Arena::unmap(Block* block) {
  auto* region = static_cast<Region*>(block->region);
  cached_ -= block->capacity;
  source_.unmap(region->pages);
  delete region;
  delete block;
}

// Returns large blocks to the system, the largest first, until no more than `most` bytes are cached.
void Arena::shrink(std::uint64_t most, std::uint64_t completed) {
  for (std::uint32_t sizeClass = sizeClassCount; sizeClass-- > 0 && cached_ > most;) {
    if (bytesOfSizeClass(sizeClass) < largeBlock) break;
    std::vector<Block*>& blocks = free_[sizeClass];
    for (std::size_t index = 0; index < blocks.size() && cached_ > most;) {
      if (blocks[index]->lastUse > completed) {
        index += 1;
        continue;
      }
      unmap(blocks[index]);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }
}

void Arena::trim(std::uint64_t completed) {
  shrink(0, completed);
  trimRegions(completed);
}

// A region goes when all of its blocks are in the cache and idle.
void Arena::trimRegions(std::uint64_t completed) {
  for (auto& region : shared_) region->leaving = region->taken == 0;
  const std::uint32_t end = sizeClassOf(largeBlock);
  for (std::uint32_t sizeClass = 0; sizeClass < end; sizeClass++) {
    for (Block* block : free_[sizeClass]) {
      if (block->lastUse > completed) static_cast<Region*>(block->region)->leaving = false;
    }
  }
  for (std::uint32_t sizeClass = 0; sizeClass < end; sizeClass++) {
    std::vector<Block*>& blocks = free_[sizeClass];
    const auto leaves = [this](Block* block) {
      if (!static_cast<Region*>(block->region)->leaving) return false;
      cached_ -= block->capacity;
      delete block;
      return true;
    };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), leaves), blocks.end());
  }
  const auto leaves = [this](const std::unique_ptr<Region>& region) {
    if (!region->leaving) return false;
    if (region.get() == current_) current_ = nullptr;
    source_.unmap(region->pages);
    return true;
  };
  shared_.erase(std::remove_if(shared_.begin(), shared_.end(), leaves), shared_.end());
}

bool Arena::discard(Block* block) {
  if (block->capacity < discardBytes) return false;
  auto* region = static_cast<Region*>(block->region);
  block->zero = source_.drop(region->pages);
  return block->zero;
}

}  // namespace metile
