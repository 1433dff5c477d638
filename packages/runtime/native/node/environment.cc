#include "environment.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "../cpu/system.h"
#include "errors.h"

namespace metile {
namespace {

// V8 starts a full collection for every 64 MB that it is told of, whatever was freed in between. So it hears of growth in
// steps of half of what it knows, within these bounds. What is released by hand comes and goes in a loop and needs no
// collection: V8 hears of such shrinking once a second. What was garbage it hears of at once, to be ready for the next.
constexpr std::int64_t leastReport = 16 << 20;
constexpr std::int64_t largestReport = 512 << 20;
constexpr std::chrono::seconds shrinkInterval{1};

}  // namespace

std::shared_ptr<Environment> Environment::create(napi_env env) {
  auto environment = std::make_shared<Environment>();
  environment->env_ = env;
  napi_value name;
  if (napi_create_string_utf8(env, "metile", NAPI_AUTO_LENGTH, &name) != napi_ok) return nullptr;
  // Hooks run in reverse order: the function has to be made before the hook that ends its use.
  if (napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, receive,
                                      &environment->function_) != napi_ok) {
    return nullptr;
  }
  napi_unref_threadsafe_function(env, environment->function_);
  auto* held = new std::shared_ptr<Environment>(environment);
  if (napi_add_env_cleanup_hook(env, end, held) != napi_ok) {
    delete held;
    return nullptr;
  }
  return environment;
}

void Environment::end(void* held) {
  auto* environment = static_cast<std::shared_ptr<Environment>*>(held);
  {
    std::lock_guard<std::mutex> lock((*environment)->mutex_);
    (*environment)->dead_ = true;
  }
  for (const auto& view : (*environment)->views_) view->stream->releaseAll(view->client);
  delete environment;
}

Client& Environment::client(Stream& stream) {
  for (const auto& view : views_) {
    if (view->stream == &stream) return view->client;
  }
  views_.push_back(std::make_unique<View>(View{&stream, stream.makeClient(system::cores())}));
  return views_.back()->client;
}

void Environment::account(napi_env env, std::int64_t bytes, bool collected) {
  live_ += bytes;
  if (collected) collected_ -= bytes;
  const std::int64_t step = std::clamp(reported_ / 2, leastReport, largestReport);
  if (live_ >= reported_ + step) return report(env);
  if (live_ > reported_ - step) return;
  const auto now = std::chrono::steady_clock::now();
  if (collected_ < leastReport && now - shrunk_ < shrinkInterval) return;
  shrunk_ = now;
  report(env);
}

void Environment::report(napi_env env) {
  collected_ = 0;
  std::int64_t total = 0;
  napi_adjust_external_memory(env, live_ - std::exchange(reported_, live_), &total);
}

// While a promise is pending the process stays alive for it.
void Environment::pendingBegins(napi_env env) {
  if (pending_++ == 0) napi_ref_threadsafe_function(env, function_);
}

void Environment::pendingEnds(napi_env env) {
  if (--pending_ == 0) napi_unref_threadsafe_function(env, function_);
}

void Environment::send(Delivery* delivery) noexcept {
  const std::shared_ptr<Environment> alive = shared_from_this();  // the delivery may be gone before the lock is
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!dead_ && napi_call_threadsafe_function(function_, delivery, napi_tsfn_nonblocking) == napi_ok) return;
  }
  delete delivery;
}

void Environment::receive(napi_env env, napi_value, void*, void* data) {
  auto* delivery = static_cast<Delivery*>(data);
  if (env != nullptr) {  // null once the environment is ending
    delivery->settle(env);
    delivery->environment_->pendingEnds(env);
  }
  delete delivery;
}

Delivery::Delivery(std::shared_ptr<Environment> environment, napi_deferred deferred)
    : environment_(std::move(environment)), deferred_(deferred) {
  environment_->pendingBegins(environment_->env_);
}

Delivery::~Delivery() = default;

void Delivery::finished(FaultPointer fault) noexcept {
  fault_ = std::move(fault);
  environment_->send(this);
}

void Delivery::settle(napi_env env) noexcept {
  napi_value value;
  if (fault_) {
    if (makeFaultError(env, *fault_, &value)) napi_reject_deferred(env, deferred_, value);
  } else if (makeResult(env, &value)) {
    napi_resolve_deferred(env, deferred_, value);
  }
}

}  // namespace metile
