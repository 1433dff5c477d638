// One entry of the stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device.h"
#include "storage.h"

namespace metile {

// Somebody who waits for a command without blocking. `finished` runs on the thread that executed the command, after the
// command counts as completed; it must not throw, and the object takes care of its own end.
class Completion {
 public:
  virtual void finished(FaultPointer fault) noexcept = 0;

 protected:
  ~Completion() = default;
};

struct BoundBuffer {
  Storage* storage = nullptr;
  bool read = false;        // a fault of this storage skips the launch
  bool written = false;     // a fault of the launch reaches this storage
  bool overwritten = false;  // a launch that succeeds replaces all of the storage
};

struct LaunchCommand {
  Launch launch;
  std::uint32_t operation = 0;
  BoundBuffer bound[maximumBuffers];
  LaunchBuffer buffers[maximumBuffers];
  LaunchConstant constants[maximumBuffers];
  LaunchThreadgroup threadgroups[maximumBuffers];
  alignas(16) std::uint8_t constantBytes[maximumConstantBytes];
  std::unique_ptr<std::string> injected;
  Status status;
};

// Copies and reads have a source, copies and fills a target. A staged write is a copy from a block without storage.
struct TransferCommand {
  Storage* source = nullptr;
  const Block* sourceBlock = nullptr;
  std::uint64_t sourceOffset = 0;
  Storage* target = nullptr;
  const Block* targetBlock = nullptr;
  std::uint64_t targetOffset = 0;
  std::uint64_t bytes = 0;
  std::uint8_t pattern = 0;
  Conversion conversion = Conversion::none;
  void* host = nullptr;  // where a read puts its bytes
  Block* staging = nullptr;  // what a read of a device that runs ahead copies them to first
  unsigned threads = 1;
};

struct Command {
  enum class Kind : std::uint8_t { launch, copy, fill, read, notify };

  Kind kind = Kind::notify;
  std::uint64_t bytes = 0;   // touched, roughly
  std::uint64_t effort = 0;  // elements handled, roughly; 2^32 where nobody knows
  Completion* completion = nullptr;
  Ticket ticket = 0;
  LaunchCommand launch;
  TransferCommand transfer;
};

}  // namespace metile
