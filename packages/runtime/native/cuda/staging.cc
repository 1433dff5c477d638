#include "staging.h"

#include <algorithm>
#include <cstring>

#include "../memory/convert.h"

namespace metile::cuda {
namespace {

constexpr std::uint64_t pieceBytes = 4 << 20;

}  // namespace

Staging::Staging() {
  driver.streamCreate(&stream_, streamNonBlocking);
  for (Event& event : done_) driver.eventCreate(&event, eventDefault);
}

std::byte* Staging::piece(int which) {
  if (pieces_[which] == nullptr && driver.hostAllocate(&pieces_[which], pieceBytes, hostPortable) != success) pieces_[which] = nullptr;
  return static_cast<std::byte*>(pieces_[which]);
}

Result Staging::write(DevicePointer target, const void* source, std::uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto* from = static_cast<const std::byte*>(source);
  Result result = success;
  for (int turn = 0; bytes > 0 && result == success; turn++) {
    const int which = turn % 2;
    std::byte* buffer = piece(which);
    if (buffer == nullptr) return errorOutOfMemory;
    if (turn >= 2) result = driver.eventSynchronize(done_[which]);
    const std::uint64_t length = std::min(bytes, pieceBytes);
    std::memcpy(buffer, from, length);
    if (result == success) result = driver.copyToDevice(target, buffer, length, stream_);
    if (result == success) result = driver.eventRecord(done_[which], stream_);
    from += length;
    target += length;
    bytes -= length;
  }
  return result == success ? driver.streamSynchronize(stream_) : result;
}

// While one piece arrives, the one before it is copied or converted.
Result Staging::read(DevicePointer source, std::uint64_t bytes, Conversion conversion, void* target) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::uint64_t pieces = (bytes + pieceBytes - 1) / pieceBytes;
  const std::uint64_t growth = conversion == Conversion::none ? 1 : 2;
  const auto lengthOf = [&](std::uint64_t index) { return std::min(pieceBytes, bytes - index * pieceBytes); };
  for (std::uint64_t turn = 0; turn <= pieces; turn++) {
    if (turn < pieces) {
      const int which = static_cast<int>(turn % 2);
      std::byte* buffer = piece(which);
      if (buffer == nullptr) return errorOutOfMemory;
      Result result = driver.copyToHost(buffer, source + turn * pieceBytes, lengthOf(turn), stream_);
      if (result == success) result = driver.eventRecord(done_[which], stream_);
      if (result != success) return result;
    }
    if (turn == 0) continue;
    const std::uint64_t index = turn - 1;
    const Result result = driver.eventSynchronize(done_[index % 2]);
    if (result != success) return result;
    convertBytes(piece(static_cast<int>(index % 2)), lengthOf(index), conversion,
                 static_cast<std::byte*>(target) + index * pieceBytes * growth);
  }
  return success;
}

}  // namespace metile::cuda
