#include "work.h"

#include <cstring>

#include "../runtime/violation.h"
#include "order.h"

namespace standin {

namespace {

bool runDispatch(const Work& work, const Command& command, std::string& failure) {
  const Kernel& kernel = *command.pipeline->kernel;
  MetileModuleLaunch launch;
  std::memset(&launch, 0, sizeof launch);
  launch.kernel = kernel.name.c_str();
  std::memcpy(launch.groups, command.groups, sizeof launch.groups);
  std::memcpy(launch.threads, command.threads, sizeof launch.threads);
  for (std::uint32_t index = 0; index < command.bindings; index++) {
    const Binding& binding = work.bindings[command.firstBinding + index];
    if (binding.buffer == nullptr) {
      launch.buffers[binding.slot] = {const_cast<char*>(work.constants.data() + binding.offset), binding.length};
    } else {
      launch.buffers[binding.slot] = {binding.buffer->data + binding.offset, binding.buffer->length - binding.offset};
    }
  }
  for (std::uint32_t index = 0; index < command.memories; index++) {
    const ThreadgroupBinding& memory = work.memories[command.firstMemory + index];
    launch.threadgroupBytes[memory.slot] = memory.bytes;
  }
  return runModule(*command.pipeline->module, launch, failure);
}

bool runCommand(const Work& work, const Command& command, std::string& failure) {
  switch (command.kind) {
    case Command::Kind::dispatch:
      return runDispatch(work, command, failure);
    case Command::Kind::copy:
      std::memcpy(command.to->data + command.toOffset, command.from->data + command.fromOffset, command.size);
      return true;
    case Command::Kind::fill:
      std::memset(command.to->data + command.toOffset, command.value, command.size);
      return true;
    default:
      return true;
  }
}

}  // namespace

bool runWork(const Work& work, std::string& failure) {
  if (!work.concurrent) {
    for (const Command& command : work.commands) {
      if (!runCommand(work, command, failure)) return false;
    }
    return true;
  }
  for (const std::size_t index : concurrentOrder(work)) {
    if (!runCommand(work, work.commands[index], failure)) return false;
  }
  return true;
}

}  // namespace standin
