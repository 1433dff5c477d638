#include "launch_words.h"

#include <algorithm>
#include <cstring>

#include "failure.h"

namespace metile {
namespace {

constexpr std::size_t headerWords = 8;
constexpr std::size_t bufferWords = 4;
constexpr std::uint32_t knownFlags = bufferWritten | bufferIsStatus | bufferOverwritten;
constexpr std::uint64_t maximumGroups = 1ull << 48;

// The words that are left, and the indices that were seen.
struct Reader {
  const std::uint32_t* words;
  std::size_t count;
  std::size_t position = 0;
  std::uint32_t seen = 0;

  const std::uint32_t* take(std::size_t amount, const char* what) {
    if (amount > count - position) {
      throwRange("launch of ", count, " words ends within ", what, " at word ", position);
    }
    const std::uint32_t* start = words + position;
    position += amount;
    return start;
  }

  void mark(std::uint32_t index, const char* what) {
    if (index >= maximumBuffers) throwRange(what, " index ", index, " is not below ", maximumBuffers);
    if ((seen >> index & 1) != 0) throwRange(what, " index ", index, " is given twice");
    seen |= 1u << index;
  }
};

void decodeGrid(const std::uint32_t* header, Launch& launch) {
  std::uint64_t total = 1;
  for (int axis = 0; axis < 3; axis++) {
    const std::uint64_t groups = header[1 + axis];
    launch.groups[axis] = header[1 + axis];
    if (groups != 0 && total > maximumGroups / groups) {
      throwRange("grid of ", header[1], " by ", header[2], " by ", header[3], " groups is above ", maximumGroups);
    }
    total *= groups;
  }
}

// Gives the bytes from the offset to the end of what is bound.
std::uint64_t decodeBuffer(Reader& reader, const StorageTable& storages, const Client& client, LaunchCommand& out) {
  const std::uint32_t* words = reader.take(bufferWords, "a buffer");
  const std::uint32_t index = words[0] & 0xff;
  const std::uint32_t flags = words[0] >> 8;
  reader.mark(index, "buffer");
  if ((flags & ~knownFlags) != 0) throwRange("buffer ", index, " has unknown flags ", flags);
  Launch& launch = out.launch;
  if ((flags & bufferIsStatus) != 0) {
    if (launch.statusIndex >= 0) throwRange("buffers ", launch.statusIndex, " and ", index, " are both status words");
    launch.statusIndex = static_cast<int>(index);
    return 0;
  }
  if (words[1] == 0) {
    launch.absent |= 1u << index;
    return 0;
  }
  Storage& storage = storages.get(words[1], client.id);
  const std::uint64_t offset = words[2] | static_cast<std::uint64_t>(words[3]) << 32;
  if (offset > storage.bytes) {
    throwRange("buffer ", index, ": offset ", offset, " is past the end of storage ", words[1], " of ", storage.bytes, " bytes");
  }
  BoundBuffer& bound = out.bound[launch.bufferCount];
  bound.storage = &storage;
  bound.written = (flags & (bufferWritten | bufferOverwritten)) != 0;
  bound.read = !bound.written;
  bound.overwritten = (flags & bufferOverwritten) != 0;
  LaunchBuffer& buffer = out.buffers[launch.bufferCount];
  buffer.block = storage.block;
  buffer.offset = offset;
  buffer.index = index;
  buffer.written = bound.written;
  launch.bufferCount += 1;
  return storage.bytes - offset;
}

void decodeConstant(Reader& reader, std::size_t& used, LaunchCommand& out) {
  const std::uint32_t header = *reader.take(1, "a constant");
  const std::uint32_t index = header & 0xff;
  const std::uint32_t length = header >> 8;
  reader.mark(index, "constant");
  if (length == 0) throwRange("constant ", index, " has no bytes");
  const std::uint32_t* words = reader.take((length + std::size_t{3}) / 4, "the bytes of a constant");
  if (used + length > maximumConstantBytes) {
    throwRange("constant ", index, ": the constants of a launch take more than ", maximumConstantBytes, " bytes");
  }
  std::memcpy(out.constantBytes + used, words, length);
  LaunchConstant& constant = out.constants[out.launch.constantCount];
  constant.bytes = out.constantBytes + used;
  constant.length = length;
  constant.index = index;
  out.launch.constantCount += 1;
  used += (length + std::size_t{15}) & ~std::size_t{15};
}

void decodeThreadgroup(Reader& reader, std::uint32_t& seen, LaunchCommand& out) {
  const std::uint32_t word = *reader.take(1, "a threadgroup argument");
  const std::uint32_t index = word & 0xff;
  const std::uint32_t bytes = word >> 8;
  if (index >= maximumBuffers) throwRange("threadgroup index ", index, " is not below ", maximumBuffers);
  if ((seen >> index & 1) != 0) throwRange("threadgroup index ", index, " is given twice");
  if (bytes == 0 || bytes % 16 != 0) throwRange("threadgroup argument ", index, " of ", bytes, " bytes; expected a multiple of 16");
  seen |= 1u << index;
  out.threadgroups[out.launch.threadgroupCount] = {index, bytes};
  out.launch.threadgroupCount += 1;
}

}  // namespace

void decodeLaunch(const std::uint32_t* words, std::size_t count, std::uint32_t kernelCount, const StorageTable& storages,
                  const Client& client, Command& command) {
  Reader reader{words, count};
  const std::uint32_t* header = reader.take(headerWords, "its header");
  if (header[0] == 0 || header[0] > kernelCount) throwRange("kernel ", header[0], " does not exist; there are ", kernelCount);
  const std::uint32_t bufferCount = header[7] & 0xff;
  const std::uint32_t constantCount = header[7] >> 8 & 0xff;
  const std::uint32_t threadgroupCount = header[7] >> 16;
  if (bufferCount > maximumBuffers || constantCount > maximumBuffers || threadgroupCount > maximumBuffers) {
    throwRange("launch with ", bufferCount, " buffers, ", constantCount, " constants and ", threadgroupCount,
               " threadgroup arguments; ", maximumBuffers, " of each at most");
  }
  LaunchCommand& out = command.launch;
  Launch& launch = out.launch;
  launch = Launch{};
  launch.kernel = header[0];
  decodeGrid(header, launch);
  launch.groupThreads = header[4];
  launch.work = header[5];
  launch.threads = client.threads;
  launch.buffers = out.buffers;
  launch.constants = out.constants;
  launch.threadgroups = out.threadgroups;
  out.operation = header[6];
  std::uint64_t bytes = 0;
  for (std::uint32_t buffer = 0; buffer < bufferCount; buffer++) bytes += decodeBuffer(reader, storages, client, out);
  std::size_t used = 0;
  for (std::uint32_t constant = 0; constant < constantCount; constant++) decodeConstant(reader, used, out);
  std::uint32_t threadgroupsSeen = 0;
  for (std::uint32_t item = 0; item < threadgroupCount; item++) decodeThreadgroup(reader, threadgroupsSeen, out);
  if (reader.position != count) throwRange("launch of ", count, " words has ", count - reader.position, " too many");
  command.kind = Command::Kind::launch;
  command.bytes = std::min<std::uint64_t>(bytes, std::uint64_t{launch.work} * 8);
  command.effort = launch.work;
}

}  // namespace metile
