#include "cpu_device.h"

#include <cstring>

#include "../memory/convert.h"
#include "system.h"

namespace metile {
namespace {

// Below this many elements, waking another thread takes longer than the work.
constexpr std::uint32_t littleWork = 32 << 10;

// Bytes a thread moves at a time; less than two of them are moved by one thread.
constexpr std::uint64_t transferPiece = 256 << 10;

struct Grid {
  Entry entry;
  EntryLaunch launch;
};

// Moves bytes or elements in pieces: `move(context, begin, end)` in units of the transfer.
template <typename Move>
void inPieces(ThreadPool& pool, std::uint64_t count, std::uint64_t unitBytes, unsigned threads, const Move& move) {
  const std::uint64_t piece = transferPiece / unitBytes;
  if (threads <= 1 || count < 2 * piece) return move(0, count);
  struct Context {
    const Move& move;
    std::uint64_t piece;
    std::uint64_t count;
  } context{move, piece, count};
  const auto body = [](void* pointer, std::uint64_t begin, std::uint64_t end) {
    const auto& at = *static_cast<Context*>(pointer);
    at.move(begin * at.piece, end * at.piece < at.count ? end * at.piece : at.count);
  };
  pool.run((count + piece - 1) / piece, threads, body, &context);
}

}  // namespace

CpuDevice::CpuDevice() : arena_(pages_, system::physicalMemory()) {}

Ticket CpuDevice::launch(const Launch& launch, Status& status) noexcept {
  Grid grid{libraries_.entry(launch.kernel), {}};
  for (std::size_t index = 0; index < launch.bufferCount; index++) {
    const LaunchBuffer& buffer = launch.buffers[index];
    grid.launch.buffers[buffer.index] = buffer.block->data + buffer.offset;
  }
  for (std::size_t index = 0; index < launch.constantCount; index++) {
    const LaunchConstant& constant = launch.constants[index];
    grid.launch.buffers[constant.index] = const_cast<void*>(constant.bytes);
  }
  if (launch.statusIndex >= 0) grid.launch.buffers[launch.statusIndex] = status.words;
  std::uint64_t groups = 1;
  for (int axis = 0; axis < 3; axis++) {
    grid.launch.groups[axis] = launch.groups[axis];
    groups *= launch.groups[axis];
  }
  if (groups == 0) return 0;
  if (groups == 1 || launch.threads <= 1 || launch.work < littleWork) {
    grid.entry(&grid.launch, 0, groups);
    return 0;
  }
  const auto body = [](void* context, std::uint64_t begin, std::uint64_t end) {
    const auto* at = static_cast<const Grid*>(context);
    at->entry(&at->launch, begin, end);
  };
  pool_.run(groups, launch.threads, body, &grid);
  return 0;
}

Ticket CpuDevice::copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset,
                     std::uint64_t bytes, unsigned threads) noexcept {
  const std::byte* source = from.data + fromOffset;
  std::byte* target = to.data + toOffset;
  if (&from == &to) {  // the ranges may overlap
    std::memmove(target, source, bytes);
    return 0;
  }
  inPieces(pool_, bytes, 1, threads, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(target + begin, source + begin, end - begin);
  });
  return 0;
}

Ticket CpuDevice::fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern,
                     unsigned threads) noexcept {
  std::byte* target = block.data + offset;
  inPieces(pool_, bytes, 1, threads, [&](std::uint64_t begin, std::uint64_t end) {
    std::memset(target + begin, pattern, end - begin);
  });
  return 0;
}

void CpuDevice::read(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target,
                     unsigned threads) noexcept {
  const std::byte* source = block.data + offset;
  if (conversion == Conversion::none) {
    inPieces(pool_, bytes, 1, threads, [&](std::uint64_t begin, std::uint64_t end) {
      std::memcpy(static_cast<std::byte*>(target) + begin, source + begin, end - begin);
    });
    return;
  }
  inPieces(pool_, bytes / 2, 4, threads, [&](std::uint64_t begin, std::uint64_t end) {
    convertBytes(source + begin * 2, (end - begin) * 2, conversion, static_cast<float*>(target) + begin);
  });
}

FailureText CpuDevice::writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept {
  std::memcpy(block.data + offset, source, bytes);
  return nullptr;
}

FailureText CpuDevice::readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion,
                        void* target) noexcept {
  convertBytes(block.data + offset, bytes, conversion, target);
  return nullptr;
}

}  // namespace metile
