// What the addon keeps for one JavaScript environment (the main thread or a worker), and its way back into it.
#pragma once

#include <node_api.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "../stream/stream.h"

namespace metile {

class Environment;

// A promise that another thread will have settled. Made and settled on the environment's thread; in between it belongs
// to the stream. It deletes itself, also when the environment has gone.
class Delivery : public Completion {
 public:
  Delivery(std::shared_ptr<Environment> environment, napi_deferred deferred);
  virtual ~Delivery();
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;

  void finished(FaultPointer fault) noexcept final;

 private:
  friend class Environment;

  // Makes what the promise is resolved with; false when the environment refuses. Not called for a fault.
  virtual bool makeResult(napi_env env, napi_value* result) noexcept = 0;
  void settle(napi_env env) noexcept;

  std::shared_ptr<Environment> environment_;
  napi_deferred deferred_;
  FaultPointer fault_;
};

class Environment : public std::enable_shared_from_this<Environment> {
 public:
  // Null with a JavaScript exception pending when the environment refuses.
  static std::shared_ptr<Environment> create(napi_env env);

  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // This environment's view of a stream. Made at first use.
  Client& client(Stream& stream);

  // Tells V8 about native memory, in steps that are worth a call. `collected`: released by a finalizer.
  void account(napi_env env, std::int64_t bytes, bool collected);

 private:
  friend class Delivery;

  void report(napi_env env);
  void pendingBegins(napi_env env);
  void pendingEnds(napi_env env);
  void send(Delivery* delivery) noexcept;
  static void receive(napi_env env, napi_value callback, void* context, void* delivery);
  static void end(void* self);

  struct View {
    Stream* stream;
    Client client;
  };

  napi_env env_ = nullptr;  // of its thread only
  std::vector<std::unique_ptr<View>> views_;
  std::int64_t live_ = 0;       // bytes that storages of this environment hold
  std::int64_t reported_ = 0;   // of them, what V8 was told
  std::int64_t collected_ = 0;  // released by the garbage collector since
  std::chrono::steady_clock::time_point shrunk_{};
  std::uint64_t pending_ = 0;

  // Node frees the function when the environment ends, whoever may still hold it. `dead_` is set before that, so that
  // a call under the mutex either comes in time or is not made.
  std::mutex mutex_;
  bool dead_ = false;
  napi_threadsafe_function function_ = nullptr;
};

}  // namespace metile
