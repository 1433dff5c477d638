// What a program that keeps the rules sees of Metal.

#include "block.h"
#include "metal.h"

CASE(vector_add) {
  Metal metal;
  Id pipeline = metal.pipeline("vector_add");
  constexpr std::uint32_t count = 1000;
  Id left = metal.buffer(count * 4), right = metal.buffer(count * 4), sum = metal.buffer(count * 4);
  for (std::uint32_t index = 0; index < count; index++) {
    contents<float>(left)[index] = static_cast<float>(index);
    contents<float>(right)[index] = 0.5f;
  }
  CHECK(contents<float>(sum)[3] != contents<float>(sum)[3]);  // new memory holds NaN
  {
    const Pool pool;
    Id buffer = commandBuffer(metal);
    Id work = encoder(buffer);
    send<void(Id)>(work, "setComputePipelineState:", pipeline);
    setBuffer(work, left, 0);
    setBuffer(work, right, 1);
    setBuffer(work, sum, 2);
    setValue(work, count, 3);
    dispatch(work, 4, 256);
    end(work);
    commit(buffer);
    wait(buffer);
    CHECK(send<Unsigned()>(buffer, "status") == 4);
    CHECK(send<Id()>(buffer, "error") == nullptr);
    CHECK(send<double()>(buffer, "GPUEndTime") >= send<double()>(buffer, "GPUStartTime"));
  }
  for (std::uint32_t index = 0; index < count; index++) {
    CHECK(contents<float>(sum)[index] == static_cast<float>(index) + 0.5f);
  }
  for (Id object : {left, right, sum, pipeline, metal.queue}) release(object);
}

/// What a launch tells the module.
CASE(launch) {
  Metal metal;
  const Pool pool;
  Id pipeline = metal.pipeline("describe");
  Id facts = metal.buffer(256);
  Id buffer = commandBuffer(metal);
  Id work = encoder(buffer);
  send<void(Id)>(work, "setComputePipelineState:", pipeline);
  setBuffer(work, facts, 0, 64);
  send<void(Unsigned, Unsigned)>(work, "setBufferOffset:atIndex:", 128, 0);
  send<void(Unsigned, Unsigned)>(work, "setThreadgroupMemoryLength:atIndex:", 512, 2);
  send<void(Size, Size)>(work, "dispatchThreadgroups:threadsPerThreadgroup:", Size{2, 3, 4}, Size{32, 4, 2});
  end(work);
  commit(buffer);
  wait(buffer);
  const auto* seen = contents<std::uint64_t>(facts) + 16;
  const std::uint64_t expected[] = {2, 3, 4, 32, 4, 2, 512, 128};
  for (int index = 0; index < 8; index++) CHECK(seen[index] == expected[index]);
}

CASE(dispatch_threads) {
  Metal metal;
  const Pool pool;
  Id pipeline = metal.pipeline("describe");
  Id facts = metal.buffer(64);
  for (const Unsigned grid : {640ul, 20ul}) {
    Id buffer = commandBuffer(metal);
    Id work = encoder(buffer);
    send<void(Id)>(work, "setComputePipelineState:", pipeline);
    setBuffer(work, facts, 0);
    send<void(Unsigned, Unsigned)>(work, "setThreadgroupMemoryLength:atIndex:", 16, 2);
    send<void(Size, Size)>(work, "dispatchThreads:threadsPerThreadgroup:", Size{grid, 1, 1}, Size{64, 1, 1});
    end(work);
    commit(buffer);
    wait(buffer);
    CHECK(contents<std::uint64_t>(facts)[0] == (grid == 640 ? 10 : 1));
    CHECK(contents<std::uint64_t>(facts)[3] == (grid == 640 ? 64 : 20));
  }
}

/// Bytes are copied when they are set.
CASE(bytes) {
  Metal metal;
  const Pool pool;
  Id pipeline = metal.pipeline("append");
  Id list = metal.buffer(64);
  contents<std::uint32_t>(list)[0] = 0;
  Id buffer = commandBuffer(metal);
  Id work = encoder(buffer);
  send<void(Id)>(work, "setComputePipelineState:", pipeline);
  setBuffer(work, list, 0);
  std::uint32_t value = 1;
  send<void(const void*, Unsigned, Unsigned)>(work, "setBytes:length:atIndex:", &value, 4, 1);
  value = 2;
  dispatch(work, 1, 1);
  dispatch(work, 1, 1);
  setValue(work, value, 1);
  dispatch(work, 1, 1);
  end(work);
  commit(buffer);
  wait(buffer);
  const auto* numbers = contents<std::uint32_t>(list);
  CHECK(numbers[0] == 3 && numbers[1] == 1 && numbers[2] == 1 && numbers[3] == 2);
}

CASE(blit) {
  Metal metal;
  const Pool pool;
  Id from = metal.buffer(64), to = metal.buffer(64);
  for (int index = 0; index < 16; index++) contents<std::uint32_t>(from)[index] = static_cast<std::uint32_t>(index);
  Id buffer = commandBuffer(metal);
  Id work = send<Id()>(buffer, "blitCommandEncoder");
  send<void(Id, Range, std::uint8_t)>(work, "fillBuffer:range:value:", to, Range{4, 8}, 7);
  send<void(Id, Unsigned, Id, Unsigned, Unsigned)>(
      work, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", from, 8, to, 16, 12);
  end(work);
  commit(buffer);
  wait(buffer);
  const auto* numbers = contents<std::uint32_t>(to);
  CHECK(numbers[0] == 0xffffffff && numbers[1] == 0x07070707 && numbers[2] == 0x07070707 && numbers[3] == 0xffffffff);
  CHECK(numbers[4] == 2 && numbers[5] == 3 && numbers[6] == 4 && numbers[7] == 0xffffffff);
}

CASE(buffers) {
  Metal metal;
  CHECK(metal.buffer(0) == nullptr);
  CHECK(metal.buffer((8ul << 30) + 1) == nullptr);
  Id hidden = metal.buffer(64, 0x20);
  CHECK(send<void*()>(hidden, "contents") == nullptr && send<Unsigned()>(hidden, "storageMode") == 2);
  Id shared = metal.buffer(100000, 0x100);
  CHECK(reinterpret_cast<std::uintptr_t>(contents<char>(shared)) % 16384 == 0);
  CHECK(send<Unsigned()>(shared, "allocatedSize") == 114688 && send<Unsigned()>(shared, "length") == 100000);
  CHECK(send<Unsigned()>(shared, "hazardTrackingMode") == 1);
  CHECK(counter("standin_live_bytes") == 16384 + 114688);
  release(hidden);
  release(shared);
  CHECK(counter("standin_live_bytes") == 0);
}

CASE(memory_of_others) {
  Metal metal;
  void* memory = std::aligned_alloc(16384, 16384);
  Block::Counts counts;
  Block deallocator(&counts);
  Id buffer = send<Id(const void*, Unsigned, Unsigned, Block*)>(
      metal.device, "newBufferWithBytesNoCopy:length:options:deallocator:", memory, 16384, 0, &deallocator);
  CHECK(contents<void>(buffer) == memory && counts.calls == 0);
  release(buffer);
  CHECK(counts.calls == 1 && counts.disposals == 1);
  std::free(memory);
}

/// METILE_STANDIN_MEMORY is 64 KiB.
CASE(memory_limit) {
  Metal metal;
  Id first = metal.buffer(40000);
  CHECK(first != nullptr && metal.buffer(40000) == nullptr);
  release(first);
  CHECK(metal.buffer(40000) != nullptr);
  function<void(long)>("standin_fail_next_allocation")(1);
  CHECK(metal.buffer(16) == nullptr);
  CHECK(metal.buffer(16) != nullptr);
}

CASE(heap) {
  Metal metal;
  const Pool pool;
  Id descriptor = send<Id()>(send<Id()>(classNamed("MTLHeapDescriptor"), "alloc"), "init");
  send<void(Unsigned)>(descriptor, "setSize:", 65536);
  send<void(Unsigned)>(descriptor, "setStorageMode:", 0);
  Id heap = send<Id(Id)>(metal.device, "newHeapWithDescriptor:", descriptor);
  const auto make = [heap] { return send<Id(Unsigned, Unsigned)>(heap, "newBufferWithLength:options:", 30000, 0); };
  Id first = make(), second = make();
  CHECK(first != nullptr && second != nullptr && make() == nullptr);
  CHECK(send<Unsigned()>(heap, "usedSize") == 65536);
  release(first);
  CHECK(make() != nullptr);
}

CASE(compile_errors) {
  Metal metal;
  const Pool pool;
  Id options = send<Id()>(send<Id()>(classNamed("MTLCompileOptions"), "alloc"), "init");
  send<void(Unsigned)>(options, "setLanguageVersion:", 0x30001);
  const auto compile = [&](const char* source, Id* error) {
    return send<Id(Id, Id, Id*)>(metal.device, "newLibraryWithSource:options:error:", text(source), options, error);
  };
  const auto message = [](Id error) { return string(send<Id()>(error, "localizedDescription")); };
  Id error = nullptr;
  CHECK(compile("#error use of undeclared identifier 'x'", &error) == nullptr);
  CHECK(message(error) == "program_source:1:2: error: use of undeclared identifier 'x'\n");
  CHECK(send<Integer()>(error, "code") == 3);
  CHECK(string(send<Id()>(error, "domain")) == "MTLLibraryErrorDomain");
  CHECK(compile("#error again", nullptr) == nullptr);
  // The server may die: that is an error, and the next request finds a new one.
  CHECK(compile("#exit", &error) == nullptr && message(error) == "the compile server ended: status 7");
  CHECK(compile("#garbage", &error) == nullptr && message(error).find("no JSON: not JSON") != std::string::npos);
  error = nullptr;
  Id library = compile("fine", &error);
  CHECK(library != nullptr && send<Integer()>(error, "code") == 4);  // a warning beside a library
  CHECK(send<Id(Id)>(library, "newFunctionWithName:", text("no_such_kernel")) == nullptr);
  Id names = send<Id()>(library, "functionNames");
  CHECK(string(send<Id(Unsigned)>(names, "objectAtIndex:", 0)) == "vector_add");
}

/// The system is 13.0, whose newest language version is 3.0.
CASE(older_language) {
  Metal metal;
  const Pool pool;
  Id options = send<Id()>(send<Id()>(classNamed("MTLCompileOptions"), "alloc"), "init");
  const auto compile = [&](Unsigned version, const char* source, Id* error) {
    send<void(Unsigned)>(options, "setLanguageVersion:", version);
    return send<Id(Id, Id, Id*)>(metal.device, "newLibraryWithSource:options:error:", text(source), options, error);
  };
  Id error = nullptr;
  CHECK(compile(0x30001, "kernel", &error) == nullptr);
  CHECK(string(send<Id()>(error, "localizedDescription")) == "language version 3.1 is not supported by macOS 13.0");
  CHECK(compile(0x30000, "kernel void probe(device bfloat* x)", &error) == nullptr);
  CHECK(compile(0x30000, "// bfloat\nkernel void probe(device half* x)", &error) != nullptr);
}

CASE(pipelines) {
  Metal metal;  // METILE_STANDIN_PIPELINE_THREADS is 832
  const Pool pool;
  Id plain = metal.pipeline("nothing");
  CHECK(send<Unsigned()>(plain, "maxTotalThreadsPerThreadgroup") == 832);
  CHECK(send<Unsigned()>(plain, "threadExecutionWidth") == 32);
  Id descriptor = send<Id()>(send<Id()>(classNamed("MTLComputePipelineDescriptor"), "alloc"), "init");
  Id function = send<Id(Id)>(metal.library(), "newFunctionWithName:", text("greedy"));
  send<void(Id)>(descriptor, "setComputeFunction:", function);
  send<void(Unsigned)>(descriptor, "setMaxTotalThreadsPerThreadgroup:", 1024);
  Id error = nullptr;
  Id fitted = send<Id(Id, Unsigned, void*, Id*)>(
      metal.device, "newComputePipelineStateWithDescriptor:options:reflection:error:", descriptor, 0, nullptr, &error);
  CHECK(send<Unsigned()>(fitted, "maxTotalThreadsPerThreadgroup") == 1024);
  CHECK(send<Unsigned()>(fitted, "staticThreadgroupMemoryLength") == 30000);
}

/// What is over the limit is not run, and nobody is told (METILE_STANDIN_ABORT is 0).
CASE(dropped) {
  Metal metal;
  const Pool pool;
  Id pipeline = metal.pipeline("append");
  Id list = metal.buffer(64);
  contents<std::uint32_t>(list)[0] = 0;
  Id buffer = commandBuffer(metal);
  Id work = encoder(buffer);
  append(work, pipeline, list, 1);
  dispatch(work, 1, 513);
  dispatch(work, 0, 32);
  end(work);
  commit(buffer);
  wait(buffer);
  CHECK(send<Unsigned()>(buffer, "status") == 4);
  CHECK(contents<std::uint32_t>(list)[0] == 1 && counter("standin_dropped_dispatches") == 2);
}

CASE(devices) {
  Id device = function<Id()>("MTLCreateSystemDefaultDevice")();
  Id list = function<Id()>("MTLCopyAllDevices")();
  std::printf("%d %lu\n", device != nullptr, send<Unsigned()>(list, "count"));
}

CASE(empty_list) {
  Id list = function<Id()>("MTLCopyAllDevices")();
  send<Id(Unsigned)>(list, "objectAtIndex:", 0);
}
