// The calls of NVIDIA's driver that the host makes, as the driver exports them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace metile::cuda {

using Result = int;
using DeviceNumber = int;
using DevicePointer = std::uint64_t;
using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using StreamHandle = struct StreamObject*;
using Event = struct EventObject*;

constexpr Result success = 0;
constexpr Result errorOutOfMemory = 2;
constexpr Result errorNotReady = 600;

// Attributes of a device and of a function.
constexpr int attributeMultiprocessors = 16;
constexpr int attributeMajor = 75;
constexpr int attributeMinor = 76;
constexpr int attributeSharedOptIn = 97;
constexpr int functionMaximumThreads = 0;
constexpr int functionSharedBytes = 1;
constexpr int functionLocalBytes = 3;
constexpr int functionRegisters = 4;
constexpr int functionMaximumDynamicShared = 8;

constexpr unsigned streamNonBlocking = 1;
constexpr unsigned eventDefault = 0;
constexpr unsigned eventBlockingSync = 1;
constexpr unsigned hostMapped = 2;
constexpr unsigned hostPortable = 1;

#define METILE_CUDA_CALLS(call)                                                                             \
  call(init, "cuInit", Result(unsigned))                                                                    \
  call(driverVersion, "cuDriverGetVersion", Result(int*))                                                   \
  call(deviceCount, "cuDeviceGetCount", Result(int*))                                                       \
  call(deviceGet, "cuDeviceGet", Result(DeviceNumber*, int))                                                \
  call(deviceName, "cuDeviceGetName", Result(char*, int, DeviceNumber))                                     \
  call(deviceMemory, "cuDeviceTotalMem_v2", Result(std::size_t*, DeviceNumber))                             \
  call(deviceAttribute, "cuDeviceGetAttribute", Result(int*, int, DeviceNumber))                            \
  call(contextRetain, "cuDevicePrimaryCtxRetain", Result(Context*, DeviceNumber))                           \
  call(contextSet, "cuCtxSetCurrent", Result(Context))                                                      \
  call(memoryAllocate, "cuMemAlloc_v2", Result(DevicePointer*, std::size_t))                                \
  call(memoryFree, "cuMemFree_v2", Result(DevicePointer))                                                   \
  call(hostAllocate, "cuMemHostAlloc", Result(void**, std::size_t, unsigned))                               \
  call(copyToDevice, "cuMemcpyHtoDAsync_v2", Result(DevicePointer, const void*, std::size_t, StreamHandle)) \
  call(copyToHost, "cuMemcpyDtoHAsync_v2", Result(void*, DevicePointer, std::size_t, StreamHandle))         \
  call(copyOnDevice, "cuMemcpyDtoDAsync_v2", Result(DevicePointer, DevicePointer, std::size_t, StreamHandle)) \
  call(fillBytes, "cuMemsetD8Async", Result(DevicePointer, unsigned char, std::size_t, StreamHandle))       \
  call(streamCreate, "cuStreamCreate", Result(StreamHandle*, unsigned))                                     \
  call(streamSynchronize, "cuStreamSynchronize", Result(StreamHandle))                                      \
  call(eventCreate, "cuEventCreate", Result(Event*, unsigned))                                              \
  call(eventRecord, "cuEventRecord", Result(Event, StreamHandle))                                           \
  call(eventQuery, "cuEventQuery", Result(Event))                                                           \
  call(eventSynchronize, "cuEventSynchronize", Result(Event))                                               \
  call(eventElapsed, "cuEventElapsedTime", Result(float*, Event, Event))                                    \
  call(moduleLoad, "cuModuleLoadData", Result(Module*, const void*))                                        \
  call(moduleFunction, "cuModuleGetFunction", Result(Function*, Module, const char*))                       \
  call(functionAttribute, "cuFuncGetAttribute", Result(int*, int, Function))                                \
  call(functionSetAttribute, "cuFuncSetAttribute", Result(Function, int, int))                              \
  call(launchKernel, "cuLaunchKernel",                                                                      \
       Result(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle, void**, void**)) \
  call(errorName, "cuGetErrorName", Result(Result, const char**))                                           \
  call(errorString, "cuGetErrorString", Result(Result, const char**))

template <typename Prototype>
struct Call;
template <typename... Arguments>
struct Call<Result(Arguments...)> {
  using Pointer = Result (*)(Arguments...);
};

struct Driver {
#define METILE_DECLARE(name, symbol, prototype) Call<prototype>::Pointer name = nullptr;
  METILE_CUDA_CALLS(METILE_DECLARE)
#undef METILE_DECLARE
  std::string path;
  int version = 0;  // 13000 for CUDA 13.0
};

// Filled by loadDriver(), never changed after.
extern Driver driver;

// Opens libcuda and initialises it; gives the reason when it cannot, else nothing. Once in a process.
const std::string& loadDriver();

// What a result means: "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
std::string describe(Result result);

}  // namespace metile::cuda
