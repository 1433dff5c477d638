#include "metal_device.h"

#include <algorithm>
#include <cstring>

#include "../memory/convert.h"
#include "../stream/command_queue.h"
#include "../stream/failure.h"
#include "messages.h"
#include "values.h"

namespace metile::metal {
namespace {

using objc::id;
using objc::Pool;
using objc::Size;

constexpr std::uint64_t statusBytes = sizeof(Status);
constexpr std::uint64_t absentOffset = statusBytes * CommandQueue::capacity;
constexpr std::uint64_t absentBytes = 256;

// Of the kernels in transfer.metal.
constexpr std::uint32_t transferThreads = 256;
constexpr std::uint64_t mostTransferGroups = 1024;
constexpr std::uint64_t unitBytes[3] = {16, 4, 1};

}  // namespace

MetalDevice::MetalDevice(objc::Reference device, Facts facts, const std::string& transfers)
    : device_(std::move(device)),
      facts_(std::move(facts)),
      pages_(device_.get(), facts_.maximumBufferBytes),
      arena_(pages_, facts_.recommendedBytes),
      kernels_(device_.get(), facts_),
      batches_(device_.get()),
      own_(pages_.map(absentOffset + absentBytes)) {
  if (own_.start == nullptr) throw Failure("Metal gives no memory", MemoryNumbers{});
  facts_.bfloat = kernels_.probeBfloat();
  std::memset(own_.start, 0, absentOffset + absentBytes);
  const std::uint32_t library = kernels_.load(transfers, "transfer.metal");
  static const char* const copies[] = {"copy_16", "copy_4", "copy_1"};
  static const char* const fills[] = {"fill_16", "fill_4", "fill_1"};
  for (int unit = 0; unit < 3; unit++) {
    copies_[unit] = transferKernel(library, copies[unit]);
    fills_[unit] = transferKernel(library, fills[unit]);
  }
}

std::uint32_t MetalDevice::transferKernel(std::uint32_t library, const char* entry) {
  KernelRequest request;
  request.library = library;
  request.entry = entry;
  request.macros = {{"ROW_THREADS", std::to_string(transferThreads)}};
  request.groupThreads = transferThreads;
  return kernels_.kernel(request);
}

// Metal drops a launch over these limits without a word.
void MetalDevice::check(const Launch& launch) const {
  const Pipeline& pipeline = kernels_.pipeline(launch.kernel);
  if (launch.groupThreads == 0 || launch.groupThreads > pipeline.information.maximumThreads) {
    throwRange("launch with ", launch.groupThreads, " threads a threadgroup; this kernel runs with 1 to ",
               pipeline.information.maximumThreads);
  }
  std::uint64_t bytes = pipeline.information.staticThreadgroupBytes;
  for (std::size_t index = 0; index < launch.threadgroupCount; index++) bytes += launch.threadgroups[index].bytes;
  if (bytes > facts_.threadgroupBytes) {
    throwRange("launch with ", bytes, " bytes of threadgroup memory; this device has ", facts_.threadgroupBytes);
  }
}

// A batch's launches run side by side, unless a barrier stands between: where one touches what an earlier one wrote, or
// writes what an earlier one touched.
void MetalDevice::order(const Launch& launch) {
  const std::uint64_t epoch = batches_.epoch();
  bool hazard = false;
  for (std::size_t index = 0; index < launch.bufferCount; index++) {
    const LaunchBuffer& buffer = launch.buffers[index];
    hazard |= buffer.block->writeMark == epoch || (buffer.written && buffer.block->readMark == epoch);
  }
  if (hazard) batches_.barrier();
  for (std::size_t index = 0; index < launch.bufferCount; index++) {
    const LaunchBuffer& buffer = launch.buffers[index];
    (buffer.written ? buffer.block->writeMark : buffer.block->readMark) = batches_.epoch();
  }
}

void MetalDevice::bind(id encoder, const Launch& launch) {
  send::setComputePipelineState(encoder, kernels_.pipeline(launch.kernel).state);
  for (std::size_t index = 0; index < launch.bufferCount; index++) {
    const LaunchBuffer& buffer = launch.buffers[index];
    send::setBuffer(encoder, static_cast<id>(buffer.block->handle), buffer.block->start + buffer.offset, buffer.index);
  }
  const id own = static_cast<id>(own_.handle);
  for (std::uint32_t index = 0; index < maximumBuffers; index++) {
    if ((launch.absent >> index & 1) != 0) send::setBuffer(encoder, own, absentOffset, index);
  }
  if (launch.statusIndex >= 0) {
    std::memset(own_.start + launch.slot * statusBytes, 0, statusBytes);
    send::setBuffer(encoder, own, launch.slot * statusBytes, static_cast<NSUInteger>(launch.statusIndex));
  }
  for (std::size_t index = 0; index < launch.constantCount; index++) {
    const LaunchConstant& constant = launch.constants[index];
    send::setBytes(encoder, constant.bytes, constant.length, constant.index);
  }
  for (std::size_t index = 0; index < launch.threadgroupCount; index++) {
    send::setThreadgroupMemoryLength(encoder, launch.threadgroups[index].bytes, launch.threadgroups[index].index);
  }
}

Ticket MetalDevice::launch(const Launch& launch, Status& status) noexcept {
  status = Status{};
  if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return 0;
  const Pool pool;
  const id encoder = batches_.encoder();
  if (encoder == nullptr) return batches_.failed("the GPU takes no more work: Metal gives no command buffer");
  order(launch);
  bind(encoder, launch);
  const Size groups{launch.groups[0], launch.groups[1], launch.groups[2]};
  send::dispatchThreadgroups(encoder, groups, Size{launch.groupThreads, 1, 1});
  return batches_.encoded(std::uint64_t{launch.work} * 4);
}

void MetalDevice::collect(const Launch& launch, Status& status) noexcept {
  if (launch.statusIndex >= 0) std::memcpy(&status, own_.start + launch.slot * statusBytes, statusBytes);
}

Ticket MetalDevice::copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset, std::uint64_t bytes,
                         unsigned) noexcept {
  const LaunchBuffer buffers[] = {{&from, fromOffset, 0, false}, {&to, toOffset, 1, true}};
  return transfer(copies_, buffers, 2, bytes, 0);
}

Ticket MetalDevice::fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern, unsigned) noexcept {
  const LaunchBuffer buffers[] = {{&block, offset, 1, true}};
  return transfer(fills_, buffers, 1, bytes, pattern * 0x01010101u);
}

// Blits would want offsets and sizes in fours, and another encoder; so kernels of ours copy, in the largest units that fit.
Ticket MetalDevice::transfer(const std::uint32_t (&kernels)[3], const LaunchBuffer* buffers, std::size_t count, std::uint64_t bytes,
                             std::uint32_t pattern) noexcept {
  if (bytes == 0) return 0;
  std::uint64_t alignment = bytes;
  for (std::size_t index = 0; index < count; index++) alignment |= buffers[index].block->start + buffers[index].offset;
  const int unit = alignment % 16 == 0 ? 0 : alignment % 4 == 0 ? 1 : 2;
  alignas(16) const std::uint64_t units = bytes / unitBytes[unit];
  alignas(16) const std::uint32_t word = pattern;
  const LaunchConstant constants[] = {{&units, sizeof units, 2}, {&word, sizeof word, 3}};
  Launch launch;
  launch.kernel = kernels[unit];
  launch.groups[0] = static_cast<std::uint32_t>(std::min((units + transferThreads - 1) / transferThreads, mostTransferGroups));
  launch.groupThreads = transferThreads;
  launch.work = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes / 4, UINT32_MAX));
  launch.buffers = buffers;
  launch.bufferCount = count;
  launch.constants = constants;
  launch.constantCount = count == 1 ? 2 : 1;
  Status none;
  return MetalDevice::launch(launch, none);
}

FailureText MetalDevice::writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept {
  std::memcpy(block.data + offset, source, bytes);
  return nullptr;
}

FailureText MetalDevice::readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion,
                          void* target) noexcept {
  convertBytes(block.data + offset, bytes, conversion, target);
  return nullptr;
}

}  // namespace metile::metal
