#include "work.h"

#include <utility>

#include "../stream/failure.h"
#include "../stream/spin.h"
#include "../stream/thread.h"

namespace metile::cuda {
namespace {

// A batch ends when it holds so many commands, or when there are no more for now.
constexpr std::uint32_t mostCommands = 64;

// Somebody who waits looks for so long before sleeping.
constexpr int spinMicroseconds = 200;
constexpr int watchMicroseconds = 60;

constexpr Result errorIllegalAddress = 700;
constexpr Result errorLaunchTimeout = 702;
constexpr Result errorAssert = 710;
constexpr Result errorHardwareStackError = 714;
constexpr Result errorIllegalInstruction = 715;
constexpr Result errorMisalignedAddress = 716;
constexpr Result errorInvalidAddressSpace = 717;
constexpr Result errorInvalidPc = 718;
constexpr Result errorLaunchFailed = 719;
constexpr Result errorEccUncorrectable = 214;

// Errors that a context does not survive.
bool ends(Result result) {
  switch (result) {
    case errorEccUncorrectable:
    case errorIllegalAddress:
    case errorLaunchTimeout:
    case errorAssert:
    case errorHardwareStackError:
    case errorIllegalInstruction:
    case errorMisalignedAddress:
    case errorInvalidAddressSpace:
    case errorInvalidPc:
    case errorLaunchFailed:
      return true;
    default:
      return false;
  }
}

// Short work is looked for, since waking up takes longer than it does.
Result waitForEvent(Event event) {
  Result result = errorNotReady;
  spin(watchMicroseconds, [&] {
    result = driver.eventQuery(event);
    return result != errorNotReady;
  });
  return result == errorNotReady ? driver.eventSynchronize(event) : result;
}

}  // namespace

std::string describeFailure(Result result) {
  std::string text = "the GPU did not finish this work: " + describe(result) + ".";
  if (result == errorIllegalAddress || result == errorMisalignedAddress) text += " compute-sanitizer tells which kernel and line.";
  if (ends(result)) text += " The device is lost to this process; start a new one.";
  return text;
}

Work::Work(Context context) : context_(context) {
  driver.streamCreate(&stream_, streamNonBlocking);
  for (Slot& slot : slots_) {
    driver.eventCreate(&slot.begin, eventDefault);
    driver.eventCreate(&slot.end, eventBlockingSync);
  }
  const bool watched = startThread("metile-cuda", [](void* self) { static_cast<Work*>(self)->watch(); }, this);
  if (!watched) throw Failure(FailureKind::device, "the system gives no thread to wait for the GPU");
}

void Work::begin() {
  if (open_) return;
  const Ticket ticket = sent_.load(std::memory_order_relaxed) + 1;
  if (ticket > slots) await(ticket - slots);
  driver.eventRecord(slots_[ticket % slots].begin, stream_);
  open_ = true;
  commands_ = 0;
}

Ticket Work::encoded(Result result) {
  if (result != success) {
    submit();  // what came before is not to blame
    return refuse(describeFailure(result));
  }
  const Ticket ticket = sent_.load(std::memory_order_relaxed) + 1;
  commands_ += 1;
  if (commands_ >= mostCommands) submit();
  return ticket;
}

void Work::submit() {
  if (!open_) return;
  open_ = false;
  if (commands_ == 0) return;
  const Ticket ticket = sent_.load(std::memory_order_relaxed) + 1;
  const Result result = driver.eventRecord(slots_[ticket % slots].end, stream_);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (result != success) refused_.emplace(ticket, describeFailure(result));
    sent_.store(ticket, std::memory_order_release);
  }
  sentCondition_.notify_one();
}

Ticket Work::refuse(const std::string& message) {
  Ticket ticket;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ticket = sent_.load(std::memory_order_relaxed) + 1;
    refused_.emplace(ticket, message);
    sent_.store(ticket, std::memory_order_release);
  }
  sentCondition_.notify_one();
  return ticket;
}

void Work::watch() {
  driver.contextSet(context_);
  for (Ticket ticket = 1;; ticket++) {
    bool hasEvent;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      sentCondition_.wait(lock, [&] { return sent_.load(std::memory_order_relaxed) >= ticket; });
      hasEvent = refused_.count(ticket) == 0;
    }
    settle(ticket, hasEvent ? waitForEvent(slots_[ticket % slots].end) : success);
    if (progress_ != nullptr) progress_(progressContext_);
  }
}

void Work::settle(Ticket ticket, Result result) {
  float milliseconds = 0;
  const Slot& slot = slots_[ticket % slots];
  std::lock_guard<std::mutex> lock(mutex_);
  const auto refused = refused_.find(ticket);
  if (refused != refused_.end()) {
    failures_[ticket] = std::make_shared<std::string>(std::move(refused->second));
    refused_.erase(refused);
  } else if (result != success) {
    if (!lost_) lost_ = std::make_shared<std::string>(describeFailure(result));
    failures_[ticket] = lost_;
  } else if (driver.eventElapsed(&milliseconds, slot.begin, slot.end) == success) {
    times_.seconds += static_cast<double>(milliseconds) * 1e-3;
  }
  times_.batches += 1;
  finished_.store(ticket, std::memory_order_release);
  finishedCondition_.notify_all();
}

void Work::await(Ticket ticket) {
  if (spin(spinMicroseconds, [&] { return finished() >= ticket; })) return;
  std::unique_lock<std::mutex> lock(mutex_);
  finishedCondition_.wait(lock, [&] { return finished() >= ticket; });
}

std::shared_ptr<const std::string> Work::failure(Ticket ticket) {
  std::lock_guard<std::mutex> lock(mutex_);
  failures_.erase(failures_.begin(), failures_.lower_bound(ticket));  // asked for in order
  const auto found = failures_.find(ticket);
  return found == failures_.end() ? nullptr : found->second;
}

void Work::onProgress(void (*function)(void*), void* context) {
  progressContext_ = context;
  progress_ = function;
}

DeviceTimes Work::times() {
  std::lock_guard<std::mutex> lock(mutex_);
  return times_;
}

}  // namespace metile::cuda
