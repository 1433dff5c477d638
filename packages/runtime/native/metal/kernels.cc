#include "kernels.h"

#include "../stream/failure.h"
#include "messages.h"
#include "text.h"
#include "values.h"

namespace metile::metal {
namespace {

using objc::id;
using objc::Pool;
using objc::Reference;

constexpr std::uint32_t maximumKernels = 1 << 16;
constexpr std::size_t maximumMessage = 8 << 10;

// What tells one library from another of the same text.
std::string libraryKey(const KernelRequest& request) {
  std::string key = std::to_string(request.library) + '\n' + std::to_string(static_cast<int>(request.mathMode));
  for (const auto& [name, value] : request.macros) key += '\n' + name + '=' + value;
  return key;
}

// Metal's default lets the compiler assume that there are no NaN and infinities, and swaps functions for faster ones.
// `safe` alone would keep the fast functions: both have to be said.
void setMath(id options, MathMode mode) {
  if (send::respondsToSelector(options, send::setMathMode.selector())) {
    send::setMathMode(options, mode == MathMode::safe ? mathSafe : mode == MathMode::relaxed ? mathRelaxed : mathFast);
    send::setMathFloatingPointFunctions(options, mode == MathMode::fast ? functionsFast : functionsPrecise);
  } else {
    send::setFastMathEnabled(options, mode == MathMode::fast);
  }
}

}  // namespace

Kernels::Kernels(id device, const Facts& facts) : device_(device), facts_(facts), pipelines_(new Pipeline[maximumKernels]) {}

std::uint32_t Kernels::load(const std::string& text, const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t index = 0; index < sources_.size(); index++) {
    if (sources_[index].text == text && sources_[index].name == name) return static_cast<std::uint32_t>(index) + 1;
  }
  sources_.push_back({text, name});
  sourceCount_.store(static_cast<std::uint32_t>(sources_.size()), std::memory_order_release);
  return static_cast<std::uint32_t>(sources_.size());
}

std::uint32_t Kernels::kernel(const KernelRequest& request) {
  const Pool pool;
  std::lock_guard<std::mutex> lock(mutex_);
  if (request.library == 0 || request.library > sources_.size()) {
    throwRange("library ", request.library, " does not exist; there are ", sources_.size());
  }
  if (request.groupThreads == 0 || request.groupThreads > facts_.maximumThreads) {
    throwRange("kernel ", request.entry, " for ", request.groupThreads, " threads a threadgroup; this device has 1 to ",
               facts_.maximumThreads);
  }
  const std::string key = libraryKey(request) + '\n' + request.entry + '\n' + std::to_string(request.groupThreads);
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return known->second;
  if (kernelCount() == maximumKernels) throw Failure(FailureKind::kernel, "no more kernels: 65536 variants exist");
  const Reference state = makePipeline(library(request), request);
  const std::uint32_t number = add(state.get(), request);
  objc::runtime.retain(state.get());
  numbers_.emplace(key, number);
  return number;
}

id Kernels::library(const KernelRequest& request) {
  const std::string key = libraryKey(request);
  const auto known = libraries_.find(key);
  if (known != libraries_.end()) return known->second.get();
  const Source& source = sources_[request.library - 1];
  std::string error;
  Reference library = compile(source, request, error);
  if (!library) throw Failure(FailureKind::kernel, joined(source.name, " does not compile: ", error.substr(0, maximumMessage)));
  return libraries_.emplace(key, std::move(library)).first->second.get();
}

Reference Kernels::compile(const Source& source, const KernelRequest& request, std::string& error) const {
  const Reference options = make("MTLCompileOptions");
  send::setLanguageVersion(options.get(), languageVersion(facts_.languageMajor, facts_.languageMinor));
  setMath(options.get(), request.mathMode);
  send::setPreprocessorMacros(options.get(), toDictionary(request.macros));
  const id text = toString(source.text);
  if (text == nullptr) {
    error = "the text is not UTF-8";
    return {};
  }
  id reason = nullptr;
  Reference library = Reference::adopt(send::newLibraryWithSource(device_, text, options.get(), &reason));
  if (!library) error = describe(reason);  // a warning leaves one too: the result decides
  return library;
}

Reference Kernels::makePipeline(id library, const KernelRequest& request) const {
  const Reference function = Reference::adopt(send::newFunctionWithName(library, toString(request.entry)));
  if (!function) throw Failure(FailureKind::kernel, joined("there is no kernel ", request.entry, " in the text"));
  const Reference descriptor = make("MTLComputePipelineDescriptor");
  send::setComputeFunction(descriptor.get(), function.get());
  send::setPipelineLabel(descriptor.get(), toString(request.entry));
  // The compiler then fits the registers to so many threads; otherwise large groups may be too many for a pipeline.
  send::setMaxTotalThreadsPerThreadgroup(descriptor.get(), request.groupThreads);
  send::setThreadGroupSizeIsMultiple(descriptor.get(), request.groupThreads % 32 == 0);
  id reason = nullptr;
  Reference state =
      Reference::adopt(send::newComputePipelineState(device_, descriptor.get(), 0, nullptr, &reason));
  if (!state) throw Failure(FailureKind::kernel, joined("kernel ", request.entry, ": ", describe(reason)));
  const NSUInteger most = send::maxTotalThreadsPerThreadgroup(state.get());
  if (most < request.groupThreads) {
    throw Failure(FailureKind::kernel, joined("kernel ", request.entry, " runs with at most ", most, " threads a threadgroup here; ",
                                              request.groupThreads, " were asked for"));
  }
  return state;
}

std::uint32_t Kernels::add(id state, const KernelRequest& request) {
  const std::uint32_t index = kernelCount();
  Pipeline& pipeline = pipelines_[index];
  pipeline.state = state;
  pipeline.threads = request.groupThreads;
  pipeline.information.maximumThreads = static_cast<std::uint32_t>(send::maxTotalThreadsPerThreadgroup(state));
  pipeline.information.executionWidth = static_cast<std::uint32_t>(send::threadExecutionWidth(state));
  pipeline.information.staticThreadgroupBytes = static_cast<std::uint32_t>(send::staticThreadgroupMemoryLength(state));
  kernelCount_.store(index + 1, std::memory_order_release);
  return index + 1;
}

bool Kernels::probeBfloat() {
  const Pool pool;
  const Source probe{
      "#include <metal_stdlib>\nkernel void probe(device bfloat* value [[buffer(0)]]) { value[0] = bfloat(1.0f); }\n",
      "probe.metal"};
  std::string error;
  return static_cast<bool>(compile(probe, KernelRequest{}, error));
}

}  // namespace metile::metal
