#include "metal.h"

Metal::Metal() {
  device = function<Id()>("MTLCreateSystemDefaultDevice")();
  CHECK(device != nullptr);
  queue = send<Id()>(device, "newCommandQueue");
}

Id Metal::buffer(Unsigned length, Unsigned options) const {
  return send<Id(Unsigned, Unsigned)>(device, "newBufferWithLength:options:", length, options);
}

Id Metal::library(const std::string& source) const {
  const Pool pool;
  Id options = send<Id()>(send<Id()>(classNamed("MTLCompileOptions"), "alloc"), "init");
  send<void(Unsigned)>(options, "setLanguageVersion:", 0x30000);
  Id error = nullptr;
  Id made = send<Id(Id, Id, Id*)>(device, "newLibraryWithSource:options:error:", text(source), options, &error);
  release(options);
  return made;
}

Id Metal::pipeline(const char* kernel) const {
  const Pool pool;
  Id from = library();
  CHECK(from != nullptr);
  Id function = send<Id(Id)>(from, "newFunctionWithName:", text(kernel));
  CHECK(function != nullptr);
  Id error = nullptr;
  Id made = send<Id(Id, Id*)>(device, "newComputePipelineStateWithFunction:error:", function, &error);
  release(function);
  release(from);
  return made;
}

Id commandBuffer(const Metal& metal) { return send<Id()>(metal.queue, "commandBuffer"); }

Id encoder(Id commandBuffer, bool concurrent) {
  return send<Id(Unsigned)>(commandBuffer, "computeCommandEncoderWithDispatchType:", concurrent ? 1 : 0);
}

void setBuffer(Id encoder, Id buffer, Unsigned index, Unsigned offset) {
  send<void(Id, Unsigned, Unsigned)>(encoder, "setBuffer:offset:atIndex:", buffer, offset, index);
}

void dispatch(Id encoder, Unsigned groups, Unsigned threads) {
  send<void(Size, Size)>(encoder, "dispatchThreadgroups:threadsPerThreadgroup:", Size{groups, 1, 1}, Size{threads, 1, 1});
}

void end(Id encoder) { send<void()>(encoder, "endEncoding"); }

void commit(Id commandBuffer) { send<void()>(commandBuffer, "commit"); }

void wait(Id commandBuffer) { send<void()>(commandBuffer, "waitUntilCompleted"); }

void append(Id encoder, Id pipeline, Id list, std::uint32_t value) {
  send<void(Id)>(encoder, "setComputePipelineState:", pipeline);
  setBuffer(encoder, list, 0);
  setValue(encoder, value, 1);
  dispatch(encoder, 1, 1);
}
