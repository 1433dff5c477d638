// Reading a device's storages, at once or by promise, and waiting for its work.
#include <cstring>
#include <memory>
#include <vector>

#include "arguments.h"
#include "errors.h"
#include "native_device.h"

namespace metile {
namespace {

// Results up to this size are made by the JavaScript thread when they are ready; it is a moment's work.
constexpr std::uint64_t smallResult = 64 << 10;

struct Request {
  std::uint32_t slot;
  std::uint64_t offset;
  std::uint64_t bytes;
  Conversion conversion;
};

Request requestOf(const Napi::CallbackInfo& info) {
  return {slotArgument(info[0], "slot"), wholeArgument(info[1], "byteOffset"), wholeArgument(info[2], "byteLength"),
          conversionArgument(info[3])};
}

bool makeBuffer(napi_env env, const void* data, std::size_t length, napi_value* result) noexcept {
  void* target = nullptr;
  if (napi_create_arraybuffer(env, length, &target, result) != napi_ok) return false;
  if (length > 0 && data != nullptr) std::memcpy(target, data, length);
  return true;
}

class ReadDelivery final : public Delivery {
 public:
  ReadDelivery(std::shared_ptr<Environment> environment, napi_deferred deferred, Stream& stream, Block* block, std::size_t length)
      : Delivery(std::move(environment), deferred), stream_(stream), block_(block), length_(length) {}
  ~ReadDelivery() override {
    if (block_ != nullptr) stream_.giveResult(block_);
  }

 private:
  // The block becomes the buffer's memory, and goes back to the arena when the buffer is collected.
  bool makeResult(napi_env env, napi_value* result) noexcept override {
    if (length_ > smallResult) {
      auto loan = std::make_unique<Loan>(Loan{stream_, block_});
      const napi_status status = napi_create_external_arraybuffer(env, block_->data, length_, collected, loan.get(), result);
      if (status == napi_ok) {
        loan.release();
        block_ = nullptr;
      }
      if (status != napi_no_external_buffers_allowed) return status == napi_ok;
    }
    return makeBuffer(env, block_->data, length_, result);
  }

  struct Loan {
    Stream& stream;
    Block* block;
  };

  static void collected(napi_env, void*, void* hint) {
    const std::unique_ptr<Loan> loan(static_cast<Loan*>(hint));
    loan->stream.giveResult(loan->block);
  }

  Stream& stream_;
  Block* block_;
  std::size_t length_;
};

class NotifyDelivery final : public Delivery {
 public:
  using Delivery::Delivery;

 private:
  bool makeResult(napi_env env, napi_value* result) noexcept override { return napi_get_undefined(env, result) == napi_ok; }
};

[[noreturn]] void throwFault(Napi::Env env, const Fault& fault) {
  napi_value error = nullptr;
  if (!makeFaultError(env, fault, &error)) throw Napi::Error::New(env);
  throw Napi::Error(env, error);
}

}  // namespace

Napi::Value NativeDevice::read(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const Request request = requestOf(info);
    stream_.checkRead(client_, request.slot, request.offset, request.bytes, request.conversion);
    const std::uint64_t length = Stream::resultBytes(request.bytes, request.conversion);
    // A promise is made where it is sure to be settled: one that is not stays in memory.
    if (length <= smallResult && stream_.readable(client_, request.slot)) {
      Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(env, length);
      const FaultPointer fault =
          stream_.readNow(client_, request.slot, request.offset, request.bytes, request.conversion, buffer.Data());
      napi_value error = nullptr;
      if (fault && !makeFaultError(env, *fault, &error)) throw Napi::Error::New(env);
      auto promise = Napi::Promise::Deferred::New(env);
      if (fault) promise.Reject(error);
      else promise.Resolve(buffer);
      return promise.Promise();
    }
    Block* block = stream_.takeResult(length);
    if (block == nullptr) {
      const StreamMemory memory = stream_.memory();
      napi_value error = nullptr;
      const Failure failure(joined("out of memory: a read of ", length, " bytes with ", memory.live, " bytes live"),
                            MemoryNumbers{length, memory.live, memory.cached, stream_.memoryLimit()});
      if (!makeFailureError(env, failure, &error)) throw Napi::Error::New(env);
      auto promise = Napi::Promise::Deferred::New(env);
      promise.Reject(error);
      return promise.Promise();
    }
    napi_deferred deferred = nullptr;
    napi_value result = nullptr;
    if (napi_create_promise(env, &deferred, &result) != napi_ok) {
      stream_.giveResult(block);
      throw Napi::Error::New(env);
    }
    auto* delivery = new ReadDelivery(environment_, deferred, stream_, block, length);
    stream_.read(client_, request.slot, request.offset, request.bytes, request.conversion, block->data, *delivery);
    return Napi::Value(env, result);
  });
}

void NativeDevice::readSync(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  guarded(env, [&] {
    const Request request = requestOf(info);
    const Bytes target = viewArgument(info[4], "target");
    stream_.checkRead(client_, request.slot, request.offset, request.bytes, request.conversion);
    const std::uint64_t length = Stream::resultBytes(request.bytes, request.conversion);
    if (target.length < length) throwRange("target has ", target.length, " bytes; expected at least ", length);
    const FaultPointer fault =
        stream_.readNow(client_, request.slot, request.offset, request.bytes, request.conversion, target.data);
    if (fault) throwFault(env, *fault);
  });
}

Napi::Value NativeDevice::synchronize(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    napi_deferred deferred = nullptr;
    napi_value result = nullptr;
    if (napi_create_promise(env, &deferred, &result) != napi_ok) throw Napi::Error::New(env);
    if (stream_.idle()) {
      napi_resolve_deferred(env, deferred, env.Undefined());
    } else {
      stream_.notify(*new NotifyDelivery(environment_, deferred));
    }
    return Napi::Value(env, result);
  });
}

void NativeDevice::synchronizeSync(const Napi::CallbackInfo&) { stream_.synchronize(); }

}  // namespace metile
