#include "cuda_device.h"

#include <algorithm>
#include <cstring>

#include "../cpu/system.h"
#include "../stream/command_queue.h"
#include "../stream/failure.h"
#include "parameters.h"

namespace metile::cuda {
namespace {

// What the driver keeps for itself and for other programs.
constexpr std::uint64_t reservedBytes = 512ull << 20;

// A grid's extents at most.
constexpr std::uint32_t mostGroups[3] = {0x7fffffff, 65535, 65535};

DevicePointer pointerOf(const Block& block, std::uint64_t offset) {
  return reinterpret_cast<DevicePointer>(block.data) + offset;
}

FailureText textOf(Result result) {
  return result == success ? nullptr : std::make_shared<std::string>(describeFailure(result));
}

}  // namespace

CudaDevice::CudaDevice(const Facts& facts)
    : facts_(facts),
      context_(open()),
      pages_(context_),
      arena_(pages_, facts.memoryBytes > reservedBytes ? facts.memoryBytes - reservedBytes : facts.memoryBytes),
      results_(hostPages_, system::physicalMemory()),
      kernels_(facts.architecture, facts.sharedBytes),
      status_(makeStatus()),
      work_(context_) {}

Status* CudaDevice::makeStatus() const {
  void* words = nullptr;
  const Result result = driver.hostAllocate(&words, sizeof(Status) * CommandQueue::capacity, hostMapped | hostPortable);
  if (result != success) throw Failure(FailureKind::device, joined("cuda:", facts_.index, " gives no memory: ", describe(result)));
  return static_cast<Status*>(words);
}

Context CudaDevice::open() const {
  Context context = nullptr;
  const Result result = driver.contextRetain(&context, facts_.number);
  if (result != success) {
    throw Failure(FailureKind::device, joined("cuda:", facts_.index, " (", facts_.name, ") does not open: ", describe(result)));
  }
  driver.contextSet(context);
  return context;
}

void CudaDevice::trim(std::uint64_t completed) {
  arena_.trim(completed);
  results_.trim(completed);
}

std::uint32_t CudaDevice::kernel(const KernelRequest& request) {
  current();
  return kernels_.kernel(request);
}

void CudaDevice::check(const Launch& launch) const {
  const Kernel& kernel = kernels_.at(launch.kernel);
  if (launch.groupThreads == 0 || launch.groupThreads > kernel.information.maximumThreads) {
    throwRange("launch with ", launch.groupThreads, " threads a threadgroup; this kernel runs with 1 to ", kernel.information.maximumThreads);
  }
  std::uint64_t bytes = kernel.information.staticThreadgroupBytes;
  for (std::size_t index = 0; index < launch.threadgroupCount; index++) bytes += launch.threadgroups[index].bytes;
  if (bytes > facts_.sharedBytes) {
    throwRange("launch with ", bytes, " bytes of threadgroup memory; this device has ", facts_.sharedBytes);
  }
}

Ticket CudaDevice::launch(const Launch& launch, Status& status) noexcept {
  status = Status{};
  if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return 0;
  current();
  Kernel& kernel = kernels_.at(launch.kernel);
  Status* words = launch.statusIndex >= 0 ? status_ + launch.slot : nullptr;
  if (words != nullptr) *words = Status{};
  Parameters parameters(launch, reinterpret_cast<DevicePointer>(words));
  Result result = success;
  const std::uint32_t shared = parameters.sharedBytes();
  if (shared > kernel.shared.load(std::memory_order_relaxed)) {
    result = driver.functionSetAttribute(kernel.function, functionMaximumDynamicShared, static_cast<int>(shared));
    kernel.shared.store(shared, std::memory_order_relaxed);
  }
  work_.begin();
  // A grid past CUDA's limits goes in parts, which know where they begin.
  for (std::uint64_t z = 0; z < launch.groups[2]; z += mostGroups[2]) {
    for (std::uint64_t y = 0; y < launch.groups[1]; y += mostGroups[1]) {
      for (std::uint64_t x = 0; x < launch.groups[0] && result == success; x += mostGroups[0]) {
        const std::uint32_t first[3] = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
        parameters.setFirst(first);
        std::uint32_t part[3];
        for (int axis = 0; axis < 3; axis++) part[axis] = std::min(launch.groups[axis] - first[axis], mostGroups[axis]);
        result = driver.launchKernel(kernel.function, part[0], part[1], part[2], launch.groupThreads, 1, 1, shared, work_.stream(),
                                     parameters.get(), nullptr);
      }
    }
  }
  return work_.encoded(result);
}

void CudaDevice::collect(const Launch& launch, Status& status) noexcept {
  if (launch.statusIndex >= 0) status = status_[launch.slot];
}

Ticket CudaDevice::copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset, std::uint64_t bytes,
                        unsigned) noexcept {
  if (bytes == 0) return 0;
  current();
  work_.begin();
  return work_.encoded(driver.copyOnDevice(pointerOf(to, toOffset), pointerOf(from, fromOffset), bytes, work_.stream()));
}

Ticket CudaDevice::fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern, unsigned) noexcept {
  if (bytes == 0) return 0;
  current();
  work_.begin();
  return work_.encoded(driver.fillBytes(pointerOf(block, offset), pattern, bytes, work_.stream()));
}

FailureText CudaDevice::writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept {
  current();
  return textOf(staging_.write(pointerOf(block, offset), source, bytes));
}

FailureText CudaDevice::readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion,
                                void* target) noexcept {
  current();
  return textOf(staging_.read(pointerOf(block, offset), bytes, conversion, target));
}

}  // namespace metile::cuda
