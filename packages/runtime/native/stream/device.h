// What a device offers to the stream. The CPU is one; a GPU is another behind the same calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "block.h"
#include "fault.h"

namespace metile {

enum class Conversion : std::uint8_t { none = 0, half = 1, bfloat = 2 };

constexpr std::size_t maximumBuffers = 31;         // indices 0 to 30, as in Metal
constexpr std::size_t maximumConstantBytes = 4096;  // as setBytes allows in Metal

struct LaunchBuffer {
  const Block* block = nullptr;  // null: nothing is bound
  std::uint64_t offset = 0;
  std::uint32_t index = 0;
};

struct LaunchConstant {
  const void* bytes = nullptr;  // aligned to 16
  std::uint32_t length = 0;
  std::uint32_t index = 0;
};

struct Launch {
  std::uint32_t kernel = 0;
  std::uint32_t groups[3] = {1, 1, 1};
  std::uint32_t groupThreads = 1;  // of a GPU
  std::uint32_t work = 0;          // elements touched
  unsigned threads = 1;            // that the host may use
  const LaunchBuffer* buffers = nullptr;
  std::size_t bufferCount = 0;
  const LaunchConstant* constants = nullptr;
  std::size_t constantCount = 0;
  int statusIndex = -1;  // buffer index of the status words, -1 without
};

struct MemoryFigures {
  std::uint64_t used = 0;    // capacity of the blocks that were taken
  std::uint64_t cached = 0;  // capacity of the blocks that wait for reuse
};

class Device {
 public:
  virtual ~Device() = default;

  // Memory. The stream holds its lock during these calls; `completed` is the number of commands that have run.
  // A block that is taken may still be in use by commands that were enqueued earlier, since its user comes after them,
  // unless an idle one is asked for. Null when there is no memory.
  virtual Block* take(std::uint64_t bytes, std::uint64_t completed, bool idle) = 0;
  virtual void give(Block* block, std::uint64_t completed) = 0;
  virtual void trim(std::uint64_t completed) = 0;
  virtual bool discard(Block* block) = 0;  // an idle block becomes zeros without being touched, where that pays
  virtual MemoryFigures memory() const = 0;
  virtual std::uint64_t memoryLimit() const = 0;
  virtual void setMemoryLimit(std::uint64_t bytes) = 0;

  // Code, from any thread.
  virtual std::uint32_t loadLibrary(const std::string& path) = 0;
  virtual std::uint32_t kernel(std::uint32_t library, const std::string& entry) = 0;
  virtual std::uint32_t libraryCount() const = 0;
  virtual std::uint32_t kernelCount() const = 0;  // ids are 1 … kernelCount()

  // Work, in stream order, by one thread at a time. A device may return before the work is done, as long as its later
  // work waits for it, `read` returns with the bytes in place, and `launch` knows its status.
  virtual void launch(const Launch& launch, Status& status) noexcept = 0;
  virtual void copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset,
                    std::uint64_t bytes, unsigned threads) noexcept = 0;
  virtual void fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern,
                    unsigned threads) noexcept = 0;
  // `bytes` counts the source; the target receives floats when it is converted.
  virtual void read(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target,
                    unsigned threads) noexcept = 0;
  virtual void synchronize() noexcept = 0;

  // Transfers by the calling thread, for memory that no command that is pending touches.
  virtual void writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept = 0;
  virtual void readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion,
                       void* target) noexcept = 0;
};

}  // namespace metile
