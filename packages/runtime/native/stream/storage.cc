#include "storage.h"

#include <algorithm>

#include "failure.h"

namespace metile {
namespace {

// A slot's number is an index in its low bits and a generation above, so that a number kept after its release is
// recognised. Free indices are reused in order of release, which makes a repeat of the same number rare.
constexpr std::uint32_t indexBits = 22;
constexpr std::uint32_t indexMask = (1u << indexBits) - 1;
constexpr std::uint32_t generationMask = (1u << (32 - indexBits)) - 1;

}  // namespace

StorageTable::StorageTable() { entries_.emplace_back(); }  // slot 0 means "no buffer"

std::uint32_t StorageTable::add(Block* block, std::uint64_t bytes, std::uint32_t client) {
  std::uint32_t index;
  if (entries_.size() <= indexMask && free_.size() < 64) {
    index = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else if (!free_.empty()) {
    index = free_.front();
    free_.pop_front();
  } else {
    return 0;
  }
  Storage* storage;
  if (spare_.empty()) {
    storage = new Storage;
  } else {
    storage = spare_.back();
    spare_.pop_back();
  }
  *storage = Storage{};
  storage->block = block;
  storage->bytes = bytes;
  storage->client = client;
  storage->slot = index | (entries_[index].generation << indexBits);
  entries_[index].storage = storage;
  live_ += bytes;
  peak_ = std::max(peak_, live_);
  count_ += 1;
  return storage->slot;
}

Storage& StorageTable::get(std::uint32_t slot, std::uint32_t client) const {
  const std::uint32_t index = slot & indexMask;
  if (index == 0 || index >= entries_.size()) throwRange("storage ", slot, " does not exist");
  const Entry& entry = entries_[index];
  if (entry.storage == nullptr || entry.generation != slot >> indexBits) {
    throwRange("storage ", slot, " has been released or never existed");
  }
  if (entry.storage->client != client) throwRange("storage ", slot, " belongs to another environment");
  return *entry.storage;
}

Block* StorageTable::remove(std::uint32_t slot, std::uint64_t completed) {
  const std::uint32_t index = slot & indexMask;
  Entry& entry = entries_[index];
  Storage* storage = entry.storage;
  entry.storage = nullptr;
  entry.generation = (entry.generation + 1) & generationMask;
  free_.push_back(index);
  live_ -= storage->bytes;
  count_ -= 1;
  Block* block = storage->block;
  block->lastUse = std::max(block->lastUse, storage->lastUse);
  retired_.push_back(storage);
  recycle(completed);
  return block;
}

std::vector<std::uint32_t> StorageTable::slotsOf(std::uint32_t client) const {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t index = 1; index < entries_.size(); index++) {
    const Entry& entry = entries_[index];
    if (entry.storage != nullptr && entry.storage->client == client) {
      slots.push_back(index | (entry.generation << indexBits));
    }
  }
  return slots;
}

void StorageTable::recycle(std::uint64_t completed) {
  // Commands refer to records, so that a record is reused only after the last of them. Releases come nearly in order of
  // use: one that is still in use holds back the later ones for a moment, and nothing is lost.
  while (!retired_.empty() && retired_.front()->lastUse <= completed) {
    Storage* storage = retired_.front();
    retired_.pop_front();
    storage->fault.reset();
    spare_.push_back(storage);
  }
}

}  // namespace metile
