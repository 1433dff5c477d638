// Decodes the words of a launch. The encoding, 32-bit words:
//   [0] kernel  [1..3] groups  [4] threads a group  [5] work  [6] operation  [7] counts
//   the counts: buffers | constants << 8 | threadgroup arguments << 16
//   a buffer:   index | flags << 8, slot (0: nothing is bound), byte offset low, high
//   a constant: index | byte length << 8, then its bytes, padded to whole words
//   a threadgroup argument: index | bytes << 8, a multiple of 16
#pragma once

#include <cstddef>
#include <cstdint>

#include "command.h"
#include "storage.h"

namespace metile {

constexpr std::uint32_t bufferWritten = 1;
constexpr std::uint32_t bufferIsStatus = 2;
constexpr std::uint32_t bufferOverwritten = 4;  // the launch replaces all of the storage

// Fills `command` from the words. Throws a range failure that names the numbers when anything is wrong; then the
// command's contents mean nothing and no storage has changed.
void decodeLaunch(const std::uint32_t* words, std::size_t count, std::uint32_t kernelCount, const StorageTable& storages,
                  const Client& client, Command& command);

}  // namespace metile
