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

FaultPointer injectedFault(std::uint32_t operation, std::string message) {
  auto fault = std::make_shared<Fault>();
  fault->operation = operation;
  fault->message = std::move(message);
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
      device_.synchronize();
      return nullptr;
  }
  return nullptr;
}

FaultPointer Stream::runLaunch(LaunchCommand& command) {
  const Launch& launch = command.launch;
  FaultPointer fault;
  for (std::size_t buffer = 0; buffer < launch.bufferCount && !fault; buffer++) {
    const BoundBuffer& bound = command.bound[buffer];
    if (bound.read) fault = bound.storage->fault;
  }
  const std::unique_ptr<std::string> injected = std::move(command.injected);
  if (!fault && injected) fault = injectedFault(command.operation, std::move(*injected));
  if (!fault) {
    Status status;
    device_.launch(launch, status);
    if (status.words[0] != 0) fault = statusFault(command.operation, status);
  }
  for (std::size_t buffer = 0; buffer < launch.bufferCount; buffer++) {
    const BoundBuffer& bound = command.bound[buffer];
    if (!bound.written) continue;
    if (fault) bound.storage->fault = fault;
    else if (bound.overwritten) bound.storage->fault.reset();
  }
  return fault;
}

void Stream::runTransfer(Command& command) {
  const TransferCommand& transfer = command.transfer;
  Storage& target = *transfer.target;
  if (transfer.source != nullptr && transfer.source->fault) {
    target.fault = transfer.source->fault;
    return;
  }
  if (command.kind == Command::Kind::fill) {
    device_.fill(*transfer.targetBlock, transfer.targetOffset, transfer.bytes, transfer.pattern, transfer.threads);
  } else {
    device_.copy(*transfer.sourceBlock, transfer.sourceOffset, *transfer.targetBlock, transfer.targetOffset, transfer.bytes,
                 transfer.threads);
  }
  if (transfer.bytes == target.bytes) target.fault.reset();
}

}  // namespace metile
