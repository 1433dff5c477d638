#include "batches.h"

#include <utility>

#include "../objc/block.h"
#include "command_error.h"
#include "messages.h"
#include "values.h"

namespace metile::metal {
namespace {

using objc::id;
using objc::Pool;
using objc::Reference;

// A batch is sent when it holds so much; less is sent when the GPU has nothing else to do.
constexpr std::uint32_t mostCommands = 40;
constexpr std::uint64_t mostBytes = 48 << 20;

// Metal blocks whoever asks for a command buffer while 64 are open; so many are enough to keep the GPU busy.
constexpr Ticket mostInFlight = 8;

class CompletionHandler final : public objc::Handler {
 public:
  CompletionHandler(Batches& batches, Ticket ticket) : batches_(batches), ticket_(ticket) {}

  void call(id buffer) noexcept override {
    const Pool pool;  // Metal's threads have none for us
    std::shared_ptr<const std::string> failure;
    if (send::status(buffer) != statusCompleted) failure = std::make_shared<std::string>(describeCommandError(send::error(buffer)));
    const double seconds = send::GPUEndTime(buffer) - send::GPUStartTime(buffer);
    batches_.completed(ticket_, std::move(failure), seconds);
  }

 private:
  Batches& batches_;
  Ticket ticket_;
};

}  // namespace

Batches::Batches(id device) : device_(device) { renewQueue(); }

void Batches::renewQueue() { queue_ = Reference::adopt(send::newCommandQueue(device_)); }

id Batches::encoder() {
  // After an error Metal ignores what the same queue is given. Older work goes there and fails; newer work gets another.
  if (broken_.load(std::memory_order_acquire)) {
    send();
    await(sent_.load(std::memory_order_relaxed));
    broken_.store(false, std::memory_order_release);
    renewQueue();
  }
  if (!encoder_ && !open()) return nullptr;
  return encoder_.get();
}

bool Batches::hasRoom() const {
  if (broken_.load(std::memory_order_acquire)) return false;
  return encoder_ || sent_.load(std::memory_order_relaxed) - finished() < mostInFlight;
}

bool Batches::open() {
  const Ticket sent = sent_.load(std::memory_order_relaxed);
  if (sent >= mostInFlight) await(sent - mostInFlight + 1);
  buffer_ = Reference::retain(send::commandBuffer(queue_.get()));
  encoder_ = Reference::retain(send::computeCommandEncoder(buffer_.get(), dispatchConcurrent));
  if (!encoder_) {
    buffer_.reset();
    return false;
  }
  ticket_ = sent + 1;
  commands_ = 0;
  bytes_ = 0;
  epoch_ += 1;  // Metal itself orders command buffers that use the same memory
  return true;
}

void Batches::barrier() {
  send::memoryBarrierWithScope(encoder_.get(), barrierBuffers);
  epoch_ += 1;
}

Ticket Batches::encoded(std::uint64_t bytes) {
  const Ticket ticket = ticket_;
  commands_ += 1;
  bytes_ += bytes;
  if (commands_ >= mostCommands || bytes_ >= mostBytes) send();
  return ticket;
}

Ticket Batches::failed(std::string message) {
  const Ticket ticket = sent_.load(std::memory_order_relaxed) + 1;
  sent_.store(ticket, std::memory_order_relaxed);
  completed(ticket, std::make_shared<std::string>(std::move(message)), 0);
  return ticket;
}

void Batches::submit(bool now) {
  if (!encoder_) return;
  if (now || finished() == sent_.load(std::memory_order_relaxed)) send();
}

void Batches::send() {
  if (!encoder_) return;
  const Pool pool;
  send::endEncoding(encoder_.get());
  {
    objc::StackBlock block(new CompletionHandler(*this, ticket_));
    send::addCompletedHandler(buffer_.get(), block.get());
  }
  sent_.store(ticket_, std::memory_order_relaxed);
  send::commit(buffer_.get());
  encoder_.reset();
  buffer_.reset();
}

void Batches::completed(Ticket ticket, std::shared_ptr<const std::string> failure, double seconds) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    times_.batches += 1;
    if (seconds > 0) times_.seconds += seconds;
    if (failure) {
      failures_[ticket] = std::move(failure);
      broken_.store(true, std::memory_order_release);
    }
    finish(lock, ticket);
  }
  if (progress_ != nullptr) progress_(progressContext_);
}

// Tickets finish in order, whatever the order in which Metal's threads come.
void Batches::finish(std::unique_lock<std::mutex>&, Ticket ticket) {
  early_[ticket] = true;
  Ticket last = finished_.load(std::memory_order_relaxed);
  while (!early_.empty() && early_.begin()->first == last + 1) {
    early_.erase(early_.begin());
    last += 1;
  }
  finished_.store(last, std::memory_order_release);
  condition_.notify_all();
}

void Batches::await(Ticket ticket) {
  if (finished() >= ticket) return;
  std::unique_lock<std::mutex> lock(mutex_);
  condition_.wait(lock, [&] { return finished() >= ticket; });
}

std::shared_ptr<const std::string> Batches::failure(Ticket ticket) {
  std::lock_guard<std::mutex> lock(mutex_);
  failures_.erase(failures_.begin(), failures_.lower_bound(ticket));  // asked for in order
  const auto found = failures_.find(ticket);
  return found == failures_.end() ? nullptr : found->second;
}

void Batches::onProgress(void (*function)(void*), void* context) {
  progress_ = function;
  progressContext_ = context;
}

DeviceTimes Batches::times() {
  std::lock_guard<std::mutex> lock(mutex_);
  return times_;
}

}  // namespace metile::metal
