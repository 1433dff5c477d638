// Every message that the Metal host sends, with its exact prototype. The first column is the kind of its receiver.
#pragma once

#include "../objc/message.h"

// Objects of a device's making are of private classes; of the others the class is named in abi.cc.
#define METILE_METAL_MESSAGES(message)                                                                                       \
  message(AnyClass, alloc, "alloc", id())                                                                                    \
  message(Any, init, "init", id())                                                                                           \
  message(Any, respondsToSelector, "respondsToSelector:", bool(SEL))                                                         \
  message(StringClass, stringWithUTF8String, "stringWithUTF8String:", id(const char*))                                       \
  message(String, UTF8String, "UTF8String", const char*())                                                                   \
  message(Error, localizedDescription, "localizedDescription", id())                                                         \
  message(Error, code, "code", NSInteger())                                                                                  \
  message(Array, count, "count", NSUInteger())                                                                               \
  message(Array, objectAtIndex, "objectAtIndex:", id(NSUInteger))                                                            \
  message(DictionaryClass, dictionaryWithObjects, "dictionaryWithObjects:forKeys:count:", id(const id*, const id*, NSUInteger)) \
  message(ProcessInfoClass, processInfo, "processInfo", id())                                                                \
  message(ProcessInfo, operatingSystemVersion, "operatingSystemVersion", Version())                                          \
  message(Device, deviceName, "name", id())                                                                                  \
  message(Device, architecture, "architecture", id())                                                                        \
  message(Architecture, architectureName, "name", id())                                                                      \
  message(Device, maxThreadsPerThreadgroup, "maxThreadsPerThreadgroup", Size())                                              \
  message(Device, maxThreadgroupMemoryLength, "maxThreadgroupMemoryLength", NSUInteger())                                    \
  message(Device, maxBufferLength, "maxBufferLength", NSUInteger())                                                          \
  message(Device, recommendedMaxWorkingSetSize, "recommendedMaxWorkingSetSize", NSUInteger())                                \
  message(Device, hasUnifiedMemory, "hasUnifiedMemory", bool())                                                              \
  message(Device, isLowPower, "isLowPower", bool())                                                                          \
  message(Device, supportsFamily, "supportsFamily:", bool(NSInteger))                                                        \
  message(Device, newCommandQueue, "newCommandQueue", id())                                                                  \
  message(Device, newBufferWithLength, "newBufferWithLength:options:", id(NSUInteger, NSUInteger))                           \
  message(Device, newLibraryWithSource, "newLibraryWithSource:options:error:", id(id, id, id*))                              \
  message(Device, newComputePipelineState, "newComputePipelineStateWithDescriptor:options:reflection:error:",                \
          id(id, NSUInteger, id*, id*))                                                                                      \
  message(CompileOptions, setPreprocessorMacros, "setPreprocessorMacros:", void(id))                                         \
  message(CompileOptions, setLanguageVersion, "setLanguageVersion:", void(NSUInteger))                                       \
  message(CompileOptions, setMathMode, "setMathMode:", void(NSInteger))                                                      \
  message(CompileOptions, setMathFloatingPointFunctions, "setMathFloatingPointFunctions:", void(NSInteger))                  \
  message(CompileOptions, setFastMathEnabled, "setFastMathEnabled:", void(bool))                                             \
  message(Library, newFunctionWithName, "newFunctionWithName:", id(id))                                                      \
  message(PipelineDescriptor, setComputeFunction, "setComputeFunction:", void(id))                                           \
  message(PipelineDescriptor, setPipelineLabel, "setLabel:", void(id))                                                       \
  message(PipelineDescriptor, setMaxTotalThreadsPerThreadgroup, "setMaxTotalThreadsPerThreadgroup:", void(NSUInteger))       \
  message(PipelineDescriptor, setThreadGroupSizeIsMultiple, "setThreadGroupSizeIsMultipleOfThreadExecutionWidth:", void(bool)) \
  message(Pipeline, maxTotalThreadsPerThreadgroup, "maxTotalThreadsPerThreadgroup", NSUInteger())                            \
  message(Pipeline, threadExecutionWidth, "threadExecutionWidth", NSUInteger())                                              \
  message(Pipeline, staticThreadgroupMemoryLength, "staticThreadgroupMemoryLength", NSUInteger())                            \
  message(Buffer, contents, "contents", void*())                                                                             \
  message(CommandQueue, commandBuffer, "commandBuffer", id())                                                                \
  message(CommandBuffer, computeCommandEncoder, "computeCommandEncoderWithDispatchType:", id(NSUInteger))                    \
  message(CommandBuffer, addCompletedHandler, "addCompletedHandler:", void(BlockLiteral*))                                   \
  message(CommandBuffer, commit, "commit", void())                                                                           \
  message(CommandBuffer, status, "status", NSUInteger())                                                                     \
  message(CommandBuffer, error, "error", id())                                                                               \
  message(CommandBuffer, GPUStartTime, "GPUStartTime", double())                                                             \
  message(CommandBuffer, GPUEndTime, "GPUEndTime", double())                                                                 \
  message(Encoder, setComputePipelineState, "setComputePipelineState:", void(id))                                            \
  message(Encoder, setBuffer, "setBuffer:offset:atIndex:", void(id, NSUInteger, NSUInteger))                                 \
  message(Encoder, setBytes, "setBytes:length:atIndex:", void(const void*, NSUInteger, NSUInteger))                          \
  message(Encoder, setThreadgroupMemoryLength, "setThreadgroupMemoryLength:atIndex:", void(NSUInteger, NSUInteger))          \
  message(Encoder, memoryBarrierWithScope, "memoryBarrierWithScope:", void(NSUInteger))                                      \
  message(Encoder, dispatchThreadgroups, "dispatchThreadgroups:threadsPerThreadgroup:", void(Size, Size))                    \
  message(Encoder, endEncoding, "endEncoding", void())

namespace metile::send {

using objc::BlockLiteral;
using objc::id;
using objc::NSInteger;
using objc::NSUInteger;
using objc::SEL;
using objc::Size;
using objc::Version;

#define METILE_DECLARE(kind, name, text, prototype) inline objc::Message<prototype> name{text};
METILE_METAL_MESSAGES(METILE_DECLARE)
#undef METILE_DECLARE

}  // namespace metile::send
