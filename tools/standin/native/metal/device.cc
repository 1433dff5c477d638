// MTLDevice, and the two functions that find one.

#include "../../generated/values.h"
#include "../foundation/collections.h"
#include "../foundation/text.h"
#include "../runtime/counters.h"
#include "../runtime/switches.h"
#include "buffer.h"
#include "compute_encoder.h"
#include "heap.h"
#include "memory.h"
#include "parts.h"
#include "queue.h"
#include "residency_set.h"

namespace standin {

namespace {

constexpr Unsigned workingSet = 11453251584;  // two thirds of 16 GiB
constexpr Unsigned openAtMost = 64;           // command buffers of a queue

struct Device : Object {
  inline static Class* type = nullptr;
};

struct Architecture : Object {
  inline static Class* type = nullptr;
};

Device* device() {
  static auto* only = make<Device>();
  return only;
}

/// The family as the letters and digits of its architecture: Apple 7 is generation 13.
std::string architectureName() { return "applegpu_g" + std::to_string(switches().appleFamily + 6) + "g"; }

bool supportsFamily(Integer family) {
  const auto newestApple = static_cast<Integer>(MTLGPUFamilyApple1 + switches().appleFamily - 1);
  if (family >= MTLGPUFamilyApple1 && family <= MTLGPUFamilyApple10) return family <= newestApple;
  if (family == MTLGPUFamilyMetal3) return switches().version() >= 1300;
  if (family == MTLGPUFamilyMetal4) return switches().version() >= 2600;
  if (family >= MTLGPUFamilyCommon1 && family <= MTLGPUFamilyCommon3) return true;
  return family == MTLGPUFamilyMac1 || family == MTLGPUFamilyMac2;
}

void defineQueries(Class* device) {
  method(device, "name", +[](Device*, Selector) -> Object* { return lendText("Stand-in GPU"); });
  method(device, "architecture", +[](Device*, Selector) -> Object* { return lend(make<Architecture>()); });
  method(device, "registryID", +[](Device*, Selector) -> Unsigned { return 0x100000abc; });
  method(device, "maxThreadsPerThreadgroup", +[](Device*, Selector) -> Size {
    return {threadsAtMost, threadsAtMost, threadsAtMost};
  });
  method(device, "maxThreadgroupMemoryLength", +[](Device*, Selector) -> Unsigned { return threadgroupBytesAtMost; });
  method(device, "maxBufferLength", +[](Device*, Selector) -> Unsigned { return switches().maxBuffer; });
  method(device, "recommendedMaxWorkingSetSize", +[](Device*, Selector) -> Unsigned {
    return switches().memory != 0 ? switches().memory : workingSet;
  });
  method(device, "hasUnifiedMemory", +[](Device*, Selector) { return true; });
  method(device, "currentAllocatedSize", +[](Device*, Selector) -> Unsigned {
    return static_cast<Unsigned>(counters().bytes.load());
  });
  method(device, "supportsFamily:", +[](Device*, Selector, Integer family) { return supportsFamily(family); });
  method(device, "isLowPower", +[](Device*, Selector) { return false; });
  method(device, "isRemovable", +[](Device*, Selector) { return false; });
  method(device, "isHeadless", +[](Device*, Selector) { return false; });
  method(device, "location", +[](Device*, Selector) -> Unsigned { return MTLDeviceLocationBuiltIn; });
  method(device, "setShouldMaximizeConcurrentCompilation:", +[](Device*, Selector, bool) {});
  method(device, "queryTimestampFrequency", +[](Device*, Selector) -> Unsigned { return 1000000000; });
}

Object* newBufferOfBytes(const void* bytes, Unsigned length, Unsigned options) {
  if (bytes == nullptr) violation("the bytes are NULL");
  Buffer* buffer = newBuffer(length, options);
  if (buffer != nullptr) __builtin_memcpy(buffer->data, bytes, length);
  return buffer;
}

Object* newBufferAround(const void* bytes, Unsigned length, Unsigned options, Block* deallocator) {
  checkOptions(options);
  if (reinterpret_cast<std::uintptr_t>(bytes) % pageBytes != 0 || bytes == nullptr) {
    violation("%p is not at a page of %zu bytes", bytes, pageBytes);
  }
  if (length == 0 || length % pageBytes != 0) violation("%lu bytes are not whole pages of %zu", length, pageBytes);
  if (length > switches().maxBuffer) return nullptr;
  auto* buffer = make<Buffer>(const_cast<void*>(bytes), length, options);
  buffer->owned = false;
  buffer->deallocator = copyBlock(deallocator);
  return buffer;
}

void defineMemory(Class* device) {
  method(device, "newBufferWithLength:options:", +[](Device*, Selector, Unsigned length, Unsigned options) -> Object* {
    return newBuffer(length, options);
  });
  method(device, "newBufferWithBytes:length:options:",
         +[](Device*, Selector, const void* bytes, Unsigned length, Unsigned options) -> Object* {
           return newBufferOfBytes(bytes, length, options);
         });
  method(device, "newBufferWithBytesNoCopy:length:options:deallocator:",
         +[](Device*, Selector, const void* bytes, Unsigned length, Unsigned options, Block* deallocator) -> Object* {
           return newBufferAround(bytes, length, options, deallocator);
         });
  method(device, "newHeapWithDescriptor:", +[](Device*, Selector, Object* descriptor) -> Object* {
    return newHeap(descriptor);
  });
  method(device, "heapBufferSizeAndAlignWithLength:options:",
         +[](Device*, Selector, Unsigned length, Unsigned) -> SizeAndAlign { return {roundToPage(length), pageBytes}; });
  method(device, "newResidencySetWithDescriptor:error:", +[](Device*, Selector, Object* descriptor, Object**) -> Object* {
    return newResidencySet(descriptor);
  });
  method(device, "newFence", +[](Device*, Selector) -> Object* { return make<Fence>(); });
}

void defineWork(Class* device) {
  method(device, "newCommandQueue", +[](Device*, Selector) -> Object* { return make<Queue>(openAtMost); });
  method(device, "newCommandQueueWithMaxCommandBufferCount:", +[](Device*, Selector, Unsigned count) -> Object* {
    if (count == 0) violation("a queue of no command buffers");
    return make<Queue>(count);
  });
  method(device, "newLibraryWithSource:options:error:",
         +[](Device*, Selector, Object* source, Object* options, Object** error) -> Object* {
           return newLibrary(source, options, error);
         });
  method(device, "newComputePipelineStateWithFunction:error:",
         +[](Device*, Selector, Object* function, Object**) -> Object* { return newPipeline(function); });
  method(device, "newComputePipelineStateWithDescriptor:options:reflection:error:",
         +[](Device*, Selector, Object* descriptor, Unsigned options, Object* reflection, Object** error) -> Object* {
           // The table writes the place for it as an object; there is no reflection here.
           if (reflection != nullptr) *reinterpret_cast<Object**>(reflection) = nullptr;
           return newPipelineOfDescriptor(descriptor, options, error);
         });
}

}  // namespace

void defineDevice() {
  Class* owner = define<Device>("MTLDevice");
  defineQueries(owner);
  defineMemory(owner);
  defineWork(owner);
  Class* architecture = define<Architecture>("MTLArchitecture");
  method(architecture, "name", +[](Architecture*, Selector) -> Object* { return lendText(architectureName()); });
}

}  // namespace standin

using namespace standin;

STANDIN_API Object* MTLCreateSystemDefaultDevice() {
  return switches().defaultDevice ? retain(device()) : nullptr;
}

STANDIN_API Object* MTLCopyAllDevices() {
  auto* list = make<Array>();
  if (switches().deviceList) list->items.push_back(Reference<Object>::keep(device()));
  return list;
}

STANDIN_API bool MPSSupportsMTLDevice(Object*) { return false; }
