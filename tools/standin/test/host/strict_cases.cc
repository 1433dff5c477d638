// Programs that break a rule, each in one way. The stand-in ends every one of them.

#include <thread>

#include "block.h"
#include "metal.h"

namespace {

/// An encoder with a pipeline and a buffer, ready to go wrong.
struct Work {
  Metal metal;
  Id pipeline;
  Id list = metal.buffer(64);
  Id buffer = commandBuffer(metal);
  Id encoder = ::encoder(buffer);

  explicit Work(const char* kernel = "append") : pipeline(metal.pipeline(kernel)) {
    send<void(Id)>(encoder, "setComputePipelineState:", pipeline);
    setBuffer(encoder, list, 0);
  }

  void bytes(Unsigned length, Unsigned index) const {
    static const char zeros[8192] = {};
    send<void(const void*, Unsigned, Unsigned)>(encoder, "setBytes:length:atIndex:", zeros, length, index);
  }
  void memory(Unsigned length, Unsigned index) const {
    send<void(Unsigned, Unsigned)>(encoder, "setThreadgroupMemoryLength:atIndex:", length, index);
  }
};

Id compileOptions() { return send<Id()>(send<Id()>(classNamed("MTLCompileOptions"), "alloc"), "init"); }

void* push() { return function<void*()>("objc_autoreleasePoolPush")(); }

void pop(void* token) { function<void(void*)>("objc_autoreleasePoolPop")(token); }

}  // namespace

// ---- objects, pools, blocks -----------------------------------------------------------------------------------------

CASE(message_to_freed) {
  Metal metal;
  Id buffer = metal.buffer(16);
  release(buffer);
  send<Unsigned()>(buffer, "length");
}

CASE(argument_freed) {
  const Pool pool;
  Work work;
  Id other = work.metal.buffer(16);
  release(other);
  setBuffer(work.encoder, other, 1);
}

CASE(over_release) {
  Metal metal;
  Id buffer = metal.buffer(16);
  release(buffer);
  release(buffer);
}

/// A string that its pool owns, released by the borrower.
CASE(over_release_by_pool) {
  const Pool pool;
  release(text("lent"));
}

CASE(inner_pointer_after_pool) {
  Id kept = nullptr;
  const char* bytes = nullptr;
  {
    const Pool pool;
    retain(kept = text("a long enough text"));
    bytes = send<const char*()>(kept, "UTF8String");
    CHECK(std::string(bytes) == "a long enough text");
  }
  CHECK(std::string(bytes) == "a long enough text");
}

CASE(pools_out_of_order) {
  void* outer = push();
  push();
  pop(outer);
}

CASE(pool_popped_twice) {
  void* outer = push();
  pop(outer);
  pop(outer);
}

CASE(pool_of_another_thread) {
  void* token = push();
  std::thread([token] { pop(token); }).join();
}

CASE(unknown_selector) {
  Metal metal;
  send<void()>(metal.device, "makeItFast");
}

CASE(unregistered_selector) {
  Metal metal;
  static const char name[] = "________name";
  reinterpret_cast<Id (*)(Id, Name)>(functionNamed("objc_msgSend"))(metal.device, name + 8);
}

CASE(not_implemented) {
  Metal metal;
  send<Id()>(metal.device, "newSharedEvent");
}

CASE(no_object) {
  static long nothing[16] = {};
  send<Id()>(nothing, "description");
}

CASE(wrong_class) {
  const Pool pool;
  Work work;
  send<void(Id)>(work.encoder, "setComputePipelineState:", work.list);
}

CASE(index_past_end) {
  const Pool pool;
  Id array = send<Id(Id)>(classNamed("NSArray"), "arrayWithObject:", text("one"));
  send<Id(Unsigned)>(array, "objectAtIndex:", 1);
}

CASE(nil_in_dictionary) {
  const Pool pool;
  Id key = text("key"), value = nullptr;
  send<Id(Id const*, Id const*, Unsigned)>(classNamed("NSDictionary"), "dictionaryWithObjects:forKeys:count:", &value, &key,
                                           1);
}

CASE(null_string) { send<Id(const char*)>(classNamed("NSString"), "stringWithUTF8String:", nullptr); }

CASE(block_without_class) {
  const Pool pool;
  Metal metal;
  Block::Counts counts;
  Block block(&counts);
  block.isa = nullptr;
  send<void(Block*)>(commandBuffer(metal), "addCompletedHandler:", &block);
}

CASE(block_released_twice) {
  Block::Counts counts;
  Block block(&counts);
  void* copy = function<void*(const void*)>("_Block_copy")(&block);
  function<void(const void*)>("_Block_release")(copy);
  function<void(const void*)>("_Block_release")(copy);
}

// ---- encoders and command buffers -----------------------------------------------------------------------------------

CASE(open_encoder_at_commit) {
  const Pool pool;
  Work work;
  commit(work.buffer);
}

CASE(encoder_never_ended) {
  const Pool pool;
  Work work;
}

CASE(two_encoders) {
  const Pool pool;
  Work work;
  encoder(work.buffer);
}

CASE(use_after_end) {
  const Pool pool;
  Work work;
  end(work.encoder);
  dispatch(work.encoder, 1, 1);
}

CASE(ended_twice) {
  const Pool pool;
  Work work;
  end(work.encoder);
  end(work.encoder);
}

CASE(encoder_after_commit) {
  const Pool pool;
  Metal metal;
  Id buffer = commandBuffer(metal);
  commit(buffer);
  encoder(buffer);
}

CASE(committed_twice) {
  const Pool pool;
  Metal metal;
  Id buffer = commandBuffer(metal);
  commit(buffer);
  commit(buffer);
}

CASE(handler_after_commit) {
  const Pool pool;
  Metal metal;
  Id buffer = commandBuffer(metal);
  commit(buffer);
  Block::Counts counts;
  Block block(&counts);
  send<void(Block*)>(buffer, "addCompletedHandler:", &block);
}

CASE(wait_without_commit) {
  const Pool pool;
  Metal metal;
  wait(commandBuffer(metal));
}

CASE(wait_in_handler) {
  const Pool pool;
  Metal metal;
  Id buffer = commandBuffer(metal);
  Block::Counts counts;
  Block block(&counts, [](Id argument, void*) { wait(argument); });
  send<void(Block*)>(buffer, "addCompletedHandler:", &block);
  commit(buffer);
  wait(buffer);
}

/// METILE_STANDIN_DELAY keeps the GPU busy.
CASE(unretained_freed) {
  const Pool pool;
  Metal metal;
  Id pipeline = metal.pipeline("append");
  Id list = metal.buffer(64);
  Id buffer = send<Id()>(metal.queue, "commandBufferWithUnretainedReferences");
  Id work = encoder(buffer);
  append(work, pipeline, list, 1);
  end(work);
  commit(buffer);
  release(list);
}

CASE(all_open_none_committed) {
  const Pool pool;
  Metal metal;
  for (int index = 0; index < 65; index++) commandBuffer(metal);
}

// ---- arguments of dispatches ----------------------------------------------------------------------------------------

CASE(no_pipeline) {
  const Pool pool;
  Metal metal;
  dispatch(encoder(commandBuffer(metal)), 1, 1);
}

CASE(too_many_threads) {
  const Pool pool;
  Work work;
  setValue(work.encoder, 1u, 1);
  dispatch(work.encoder, 1, 513);  // the pipelines take 512
}

CASE(no_threadgroups) {
  const Pool pool;
  Work work;
  setValue(work.encoder, 1u, 1);
  dispatch(work.encoder, 0, 32);
}

CASE(no_threads) {
  const Pool pool;
  Work work;
  dispatch(work.encoder, 1, 0);
}

CASE(too_many_threadgroups) {
  const Pool pool;
  Work work;
  setValue(work.encoder, 1u, 1);
  dispatch(work.encoder, 1ul << 32, 1);
}

CASE(unbound_buffer) {
  const Pool pool;
  Work work;
  dispatch(work.encoder, 1, 1);
}

CASE(short_constant) {
  const Pool pool;
  Work work;
  work.bytes(2, 1);
  dispatch(work.encoder, 1, 1);
}

CASE(bytes_for_output) {
  const Pool pool;
  Work work;
  work.bytes(64, 0);
  setValue(work.encoder, 1u, 1);
  dispatch(work.encoder, 1, 1);
}

CASE(unbound_threadgroup_memory) {
  const Pool pool;
  Work work("describe");
  dispatch(work.encoder, 1, 1);
}

CASE(threadgroup_memory_odd) {
  const Pool pool;
  Work().memory(24, 0);
}

CASE(threadgroup_memory_large) {
  const Pool pool;
  Work().memory(32784, 0);
}

/// 30,000 bytes of the kernel's own and 4,096 more.
CASE(threadgroup_memory_sum) {
  const Pool pool;
  Work work("greedy");
  work.memory(4096, 0);
  dispatch(work.encoder, 1, 1);
}

CASE(threadgroup_memory_slot) {
  const Pool pool;
  Work().memory(16, 31);
}

CASE(buffer_slot) {
  const Pool pool;
  Work work;
  setBuffer(work.encoder, work.list, 31);
}

CASE(bytes_slot) {
  const Pool pool;
  Work().bytes(4, 31);
}

CASE(bytes_large) {
  const Pool pool;
  Work().bytes(4097, 1);
}

CASE(bytes_none) {
  const Pool pool;
  Work().bytes(0, 1);
}

CASE(offset_past_end) {
  const Pool pool;
  Work work;
  setBuffer(work.encoder, work.list, 0, 64);
}

CASE(offset_without_buffer) {
  const Pool pool;
  send<void(Unsigned, Unsigned)>(Work().encoder, "setBufferOffset:atIndex:", 0, 5);
}

CASE(copy_past_end) {
  const Pool pool;
  Metal metal;
  Id from = metal.buffer(64), to = metal.buffer(32);
  Id blit = send<Id()>(commandBuffer(metal), "blitCommandEncoder");
  send<void(Id, Unsigned, Id, Unsigned, Unsigned)>(
      blit, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", from, 0, to, 0, 64);
}

CASE(fill_odd) {
  const Pool pool;
  Metal metal;
  Id blit = send<Id()>(commandBuffer(metal), "blitCommandEncoder");
  send<void(Id, Range, std::uint8_t)>(blit, "fillBuffer:range:value:", metal.buffer(64), Range{0, 3}, 0);
}

CASE(partial_threadgroup) {
  const Pool pool;
  Work work;
  send<void(Size, Size)>(work.encoder, "dispatchThreads:threadsPerThreadgroup:", Size{100, 1, 1}, Size{64, 1, 1});
}

// ---- devices and libraries ------------------------------------------------------------------------------------------

CASE(no_language_version) {
  const Pool pool;
  Metal metal;
  send<Id(Id, Id, Id*)>(metal.device, "newLibraryWithSource:options:error:", text("x"), compileOptions(), nullptr);
}

CASE(no_options) {
  const Pool pool;
  Metal metal;
  send<Id(Id, Id, Id*)>(metal.device, "newLibraryWithSource:options:error:", text("x"), nullptr, nullptr);
}

CASE(unknown_language_version) {
  const Pool pool;
  send<void(Unsigned)>(compileOptions(), "setLanguageVersion:", 31);
}

CASE(macro_of_wrong_type) {
  const Pool pool;
  Id key = text("key"), value = compileOptions();
  Id macros = send<Id(Id const*, Id const*, Unsigned)>(classNamed("NSDictionary"), "dictionaryWithObjects:forKeys:count:",
                                                       &value, &key, 1);
  send<void(Id)>(compileOptions(), "setPreprocessorMacros:", macros);
}

CASE(unaligned_memory) {
  Metal metal;
  static char memory[65536];
  Unsigned start = (reinterpret_cast<Unsigned>(memory) + 16383) / 16384 * 16384 + 4096;
  send<Id(const void*, Unsigned, Unsigned, void*)>(metal.device, "newBufferWithBytesNoCopy:length:options:deallocator:",
                                                   reinterpret_cast<void*>(start), 16384, 0, nullptr);
}

CASE(unaligned_length) {
  Metal metal;
  alignas(16384) static char memory[16384];
  send<Id(const void*, Unsigned, Unsigned, void*)>(metal.device, "newBufferWithBytesNoCopy:length:options:deallocator:",
                                                   memory, 100, 0, nullptr);
}

CASE(unknown_options) {
  Metal metal;
  metal.buffer(64, 0x1000);
}

/// The end of a large buffer is fenced, and so is the whole of it once it is freed.
CASE(write_past_end) {
  Metal metal;
  Id buffer = metal.buffer(65536);
  contents<volatile char>(buffer)[65536] = 1;
}

CASE(write_after_free) {
  Metal metal;
  Id buffer = metal.buffer(65536);
  auto* bytes = contents<volatile char>(buffer);
  bytes[0] = 1;
  release(buffer);
  bytes[0] = 2;
}

CASE(two_threads_one_encoder) {
  const Pool pool;
  Work work;
  setValue(work.encoder, 1u, 1);
  std::thread other([&] {
    for (int index = 0; index < 300000; index++) setBuffer(work.encoder, work.list, 0);
  });
  for (int index = 0; index < 300000; index++) setBuffer(work.encoder, work.list, 0);
  other.join();
}
