// What a device offers to the stream. The CPU is one; a GPU is another behind the same calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "block.h"
#include "fault.h"

namespace metile {

enum class Conversion : std::uint8_t { none = 0, half = 1, bfloat = 2 };

constexpr std::size_t maximumBuffers = 31;         // indices 0 to 30, as in Metal
constexpr std::size_t maximumConstantBytes = 4096;  // as setBytes allows in Metal

struct LaunchBuffer {
  const Block* block = nullptr;
  std::uint64_t offset = 0;
  std::uint32_t index = 0;
  bool written = false;
};

struct LaunchConstant {
  const void* bytes = nullptr;  // aligned to 16
  std::uint32_t length = 0;
  std::uint32_t index = 0;
};

// Memory that the threads of a threadgroup share, of a size that the launch decides (GPUs).
struct LaunchThreadgroup {
  std::uint32_t index = 0;
  std::uint32_t bytes = 0;
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
  const LaunchThreadgroup* threadgroups = nullptr;
  std::size_t threadgroupCount = 0;
  std::uint32_t absent = 0;  // bits of the buffer indices where nothing is bound
  int statusIndex = -1;      // buffer index of the status words, -1 without
  std::uint32_t slot = 0;    // of the command: below 256, and no other command that is pending has it
};

enum class MathMode : std::uint8_t { safe, relaxed, fast };

struct KernelRequest {
  std::uint32_t library = 0;
  std::string entry;
  std::vector<std::pair<std::string, std::string>> macros;  // of a GPU's variant
  std::uint32_t groupThreads = 0;                           // of a GPU's threadgroup: what the kernel is compiled for
  MathMode mathMode = MathMode::safe;
};

struct KernelInformation {
  std::uint32_t maximumThreads = 1;
  std::uint32_t executionWidth = 1;
  std::uint32_t staticThreadgroupBytes = 0;
  std::uint32_t registers = 0;     // of a thread, where the compiler tells
  std::uint32_t spilledBytes = 0;  // of a thread, in memory for want of registers
};

struct DeviceTimes {
  double seconds = 0;  // that the GPU worked
  std::uint64_t batches = 0;
};

// Why something failed; null when it did not.
using FailureText = std::shared_ptr<const std::string>;

// When work is done: 0 when it is at once, else a number that rises along the stream.
using Ticket = std::uint64_t;

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
  // Blocks that the host reads and writes at `data`: for results.
  virtual Block* takeResult(std::uint64_t bytes, std::uint64_t completed) { return take(bytes, completed, false); }
  virtual void giveResult(Block* block, std::uint64_t completed) { give(block, completed); }
  // Whether it may do so with every block.
  virtual bool hostVisible() const { return true; }
  virtual bool discard(Block* block) = 0;  // an idle block becomes zeros without being touched, where that pays
  virtual MemoryFigures memory() const = 0;
  virtual std::uint64_t memoryLimit() const = 0;
  virtual void setMemoryLimit(std::uint64_t bytes) = 0;

  // Bytes of the largest block there can be.
  virtual std::uint64_t largestBlock() const { return UINT64_MAX; }

  // Code, from any thread: libraries of machine code, or texts that a GPU's kernels are compiled from.
  virtual std::uint32_t loadLibrary(const std::string& path);
  virtual std::uint32_t loadSource(const std::string& text, const std::string& name);
  virtual std::uint32_t kernel(const KernelRequest& request) = 0;
  virtual KernelInformation kernelInformation(std::uint32_t) const { return {}; }
  virtual std::uint32_t libraryCount() const = 0;
  virtual std::uint32_t kernelCount() const = 0;  // ids are 1 … kernelCount()

  // Throws a range failure for a launch that the device cannot run.
  virtual void check(const Launch&) const {}

  // Work, in stream order, by one thread at a time.
  virtual Ticket launch(const Launch& launch, Status& status) noexcept = 0;
  virtual Ticket copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset,
                      std::uint64_t bytes, unsigned threads) noexcept = 0;
  virtual Ticket fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern,
                      unsigned threads) noexcept = 0;
  // `bytes` counts the source; the target receives floats when it is converted. Not called where a device runs ahead.
  virtual void read(const Block&, std::uint64_t, std::uint64_t, Conversion, void*, unsigned) noexcept {}

  // A device that runs ahead gives tickets and works on while the host goes on.
  virtual bool runsAhead() const { return false; }
  // Whether it takes another command without waiting for earlier ones. Asked by whoever gives it work.
  virtual bool hasRoom() const noexcept { return true; }
  // Sends on what was given to it: at once, or when it thinks best.
  virtual void submit(bool) noexcept {}
  // The last ticket whose work is done. From any thread.
  virtual Ticket finished() const noexcept { return UINT64_MAX; }
  // Returns once the ticket's work is done; it has been submitted.
  virtual void await(Ticket) noexcept {}
  // Why the work of a finished ticket failed; null when it did not.
  virtual FailureText failure(Ticket) noexcept { return nullptr; }
  // The status words of a launch whose ticket is finished.
  virtual void collect(const Launch&, Status&) noexcept {}
  // Calls the function, from any thread, whenever finished() has risen.
  virtual void onProgress(void (*)(void*), void*) noexcept {}
  virtual DeviceTimes times() const { return {}; }

  // Transfers by the calling thread, for memory that no command that is pending touches.
  virtual FailureText writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept = 0;
  virtual FailureText readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion,
                       void* target) noexcept = 0;
};

}  // namespace metile
