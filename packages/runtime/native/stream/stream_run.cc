// Executing the stream's commands, in order, on whichever thread has the queue's execution.
#include <memory>
#include <utility>

#include "failure.h"
#include "stream.h"

namespace metile {
namespace {

FaultPointer statusFault(std::uint32_t operation, const Status& status) {
  const auto& words = status.words;
  auto fault = std::make_shared<Fault>();
  fault->operation = operation;
  fault->hasStatus = true;
  fault->status = status;
  fault->message = joined("operation ", operation, " failed: code ", words[0], ", row ", words[1], ", value ",
                          static_cast<std::int32_t>(words[2]), ", limit ", words[3]);
  return fault;
}

// The first fault of what a launch reads, or the one that a test asked for.
FaultPointer faultBefore(LaunchCommand& command) {
  for (std::size_t buffer = 0; buffer < command.launch.bufferCount; buffer++) {
    const BoundBuffer& bound = command.bound[buffer];
    if (bound.read && bound.storage->fault) return bound.storage->fault;
  }
  const std::unique_ptr<std::string> injected = std::move(command.injected);
  return injected ? makeFault(command.operation, std::move(*injected)) : nullptr;
}

// Lets the outputs of a launch have its fault, or be well again.
void settleOutputs(const LaunchCommand& command, const FaultPointer& fault) {
  for (std::size_t buffer = 0; buffer < command.launch.bufferCount; buffer++) {
    const BoundBuffer& bound = command.bound[buffer];
    if (!bound.written) continue;
    if (fault) bound.storage->fault = fault;
    else if (bound.overwritten) bound.storage->fault.reset();
  }
}

// The same for a copy or fill.
FaultPointer settleTarget(const TransferCommand& transfer, FaultPointer fault) {
  Storage& target = *transfer.target;
  if (!fault && transfer.source != nullptr) fault = transfer.source->fault;
  if (fault) target.fault = fault;
  else if (transfer.bytes == target.bytes) target.fault.reset();
  return fault;
}

}  // namespace

FaultPointer Stream::run(Command& command) noexcept {
  switch (command.kind) {
    case Command::Kind::launch: {
      FaultPointer fault = runLaunch(command.launch);
      launchesCompleted_.fetch_add(1, std::memory_order_relaxed);
      return fault;
    }
    case Command::Kind::copy:
    case Command::Kind::fill:
      runTransfer(command);
      return nullptr;
    case Command::Kind::read: {
      const TransferCommand& read = command.transfer;
      if (read.source->fault) return read.source->fault;
      device_.read(*read.sourceBlock, read.sourceOffset, read.bytes, read.conversion, read.host, read.threads);
      return nullptr;
    }
    case Command::Kind::notify:
      return nullptr;
  }
  return nullptr;
}

FaultPointer Stream::runLaunch(LaunchCommand& command) {
  FaultPointer fault = faultBefore(command);
  if (!fault) {
    Status status;
    device_.launch(command.launch, status);
    if (status.words[0] != 0) fault = statusFault(command.operation, status);
  }
  settleOutputs(command, fault);
  return fault;
}

void Stream::runTransfer(Command& command) {
  const TransferCommand& transfer = command.transfer;
  if (settleTarget(transfer, nullptr)) return;
  if (command.kind == Command::Kind::fill) {
    device_.fill(*transfer.targetBlock, transfer.targetOffset, transfer.bytes, transfer.pattern, transfer.threads);
  } else {
    device_.copy(*transfer.sourceBlock, transfer.sourceOffset, *transfer.targetBlock, transfer.targetOffset, transfer.bytes,
                 transfer.threads);
  }
}

// A device that runs ahead meets its commands before anybody knows how the earlier ones ended. So it does all of them, and
// faults follow when the work is done.
void Stream::issue(Command& command) noexcept {
  const TransferCommand& transfer = command.transfer;
  command.ticket = 0;
  switch (command.kind) {
    case Command::Kind::launch:
      if (!command.launch.injected) command.ticket = device_.launch(command.launch.launch, command.launch.status);
      break;
    case Command::Kind::fill:
      command.ticket =
          device_.fill(*transfer.targetBlock, transfer.targetOffset, transfer.bytes, transfer.pattern, transfer.threads);
      break;
    case Command::Kind::copy:
      command.ticket = device_.copy(*transfer.sourceBlock, transfer.sourceOffset, *transfer.targetBlock, transfer.targetOffset,
                                    transfer.bytes, transfer.threads);
      break;
    case Command::Kind::read:
      command.ticket =
          device_.copy(*transfer.sourceBlock, transfer.sourceOffset, *transfer.staging, 0, transfer.bytes, transfer.threads);
      break;
    case Command::Kind::notify:
      break;
  }
}

FaultPointer Stream::conclude(Command& command) noexcept {
  LaunchCommand& launch = command.launch;
  FaultPointer fault;
  if (command.ticket != 0) {
    const auto failure = device_.failure(command.ticket);
    if (failure) fault = makeFault(command.kind == Command::Kind::launch ? launch.operation : 0, *failure);
  }
  switch (command.kind) {
    case Command::Kind::launch: {
      // What a launch read was settled before: commands end in order.
      if (FaultPointer before = faultBefore(launch)) fault = std::move(before);
      // Without a ticket the device was not asked, and the words are an earlier launch's.
      if (!fault && command.ticket != 0) device_.collect(launch.launch, launch.status);
      if (!fault && launch.status.words[0] != 0) fault = statusFault(launch.operation, launch.status);
      settleOutputs(launch, fault);
      launchesCompleted_.fetch_add(1, std::memory_order_relaxed);
      return fault;
    }
    case Command::Kind::copy:
    case Command::Kind::fill:
      settleTarget(command.transfer, std::move(fault));
      return nullptr;
    case Command::Kind::read:
      return concludeRead(command, std::move(fault));
    case Command::Kind::notify:
      return nullptr;
  }
  return nullptr;
}

FaultPointer Stream::concludeRead(Command& command, FaultPointer fault) {
  TransferCommand& read = command.transfer;
  if (read.source->fault) fault = read.source->fault;
  if (!fault) {
    const FailureText failure = device_.readNow(*read.staging, 0, read.bytes, read.conversion, read.host);
    if (failure) fault = makeFault(0, *failure);
  }
  auto lock = queue_.lock();
  device_.give(read.staging, queue_.completed());
  return fault;
}

}  // namespace metile
