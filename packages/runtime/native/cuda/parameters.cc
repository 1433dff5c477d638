#include "parameters.h"

namespace metile::cuda {

Parameters::Parameters(const Launch& launch, DevicePointer status) {
  void* byIndex[maximumBuffers] = {};
  const auto bind = [&](std::uint32_t index, DevicePointer pointer) {
    pointers_[index] = pointer;
    byIndex[index] = &pointers_[index];
  };
  for (std::size_t index = 0; index < launch.bufferCount; index++) {
    const LaunchBuffer& buffer = launch.buffers[index];
    bind(buffer.index, reinterpret_cast<DevicePointer>(buffer.block->data) + buffer.offset);
  }
  for (std::uint32_t index = 0; index < maximumBuffers; index++) {
    if ((launch.absent >> index & 1) != 0) bind(index, 0);
  }
  if (launch.statusIndex >= 0) bind(static_cast<std::uint32_t>(launch.statusIndex), status);
  for (std::size_t index = 0; index < launch.constantCount; index++) {
    const LaunchConstant& constant = launch.constants[index];
    byIndex[constant.index] = const_cast<void*>(constant.bytes);
  }
  void** next = arguments_;
  for (void* argument : byIndex) {
    if (argument != nullptr) *next++ = argument;
  }
  std::uint32_t threadgroupBytes[maximumBuffers] = {};
  for (std::size_t index = 0; index < launch.threadgroupCount; index++) {
    threadgroupBytes[launch.threadgroups[index].index] = launch.threadgroups[index].bytes;
  }
  for (std::uint32_t index = 0; index < maximumBuffers; index++) {
    if (threadgroupBytes[index] == 0) continue;
    offsets_[index] = sharedBytes_;
    sharedBytes_ += threadgroupBytes[index];
    *next++ = &offsets_[index];
  }
  for (int axis = 0; axis < 3; axis++) groups_[axis] = launch.groups[axis];
  *next++ = groups_;
  *next++ = first_;
}

void Parameters::setFirst(const std::uint32_t (&first)[3]) {
  for (int axis = 0; axis < 3; axis++) first_[axis] = first[axis];
}

}  // namespace metile::cuda
