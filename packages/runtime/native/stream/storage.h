// Storages of all environments: a table of slots, each owned by one client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "block.h"
#include "fault.h"

namespace metile {

// One environment's view of the stream. Used by that environment's thread alone.
struct Client {
  std::uint32_t id = 0;
  unsigned threads = 1;
  std::unique_ptr<std::string> injected;  // message of the fault that the next launch is to meet
};

struct Storage {
  Block* block = nullptr;
  std::uint64_t bytes = 0;
  std::uint32_t client = 0;
  std::uint32_t slot = 0;     // its number
  std::uint64_t lastUse = 0;    // sequence numbers of the last command that touches it, and that writes to it
  std::uint64_t lastWrite = 0;
  FaultPointer fault;  // in stream order: read and set by the thread that executes, or while no command is pending
};

// Not synchronised: the stream's lock is held around every call.
class StorageTable {
 public:
  StorageTable();
  StorageTable(const StorageTable&) = delete;
  StorageTable& operator=(const StorageTable&) = delete;

  // A new slot's number; 0 when there are no more.
  std::uint32_t add(Block* block, std::uint64_t bytes, std::uint32_t client);

  // The storage of a slot. Throws a range failure when the slot is not live or belongs to another client.
  Storage& get(std::uint32_t slot, std::uint32_t client) const;

  // Forgets the slot. The storage's record stays until `lastUse` has completed; the block is the caller's.
  Block* remove(std::uint32_t slot, std::uint64_t completed);

  // Slots of a client, for the end of an environment.
  std::vector<std::uint32_t> slotsOf(std::uint32_t client) const;

  std::uint64_t live() const { return live_; }
  std::uint64_t peak() const { return peak_; }
  std::uint64_t count() const { return count_; }

 private:
  struct Entry {
    Storage* storage = nullptr;
    std::uint32_t generation = 0;
  };

  void recycle(std::uint64_t completed);

  std::vector<Entry> entries_;
  std::deque<std::uint32_t> free_;
  std::vector<Storage*> spare_;
  std::deque<Storage*> retired_;
  std::uint64_t live_ = 0;
  std::uint64_t peak_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace metile
