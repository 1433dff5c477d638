#include "kernels.h"

#include "../stream/failure.h"
#include "nvrtc.h"

namespace metile::cuda {
namespace {

constexpr std::uint32_t maximumKernels = 1 << 16;
constexpr std::size_t maximumMessage = 8 << 10;
constexpr std::uint32_t maximumThreads = 1024;

// Changes when anything else about what is compiled does.
constexpr const char* cacheVersion = "metile-cuda-1";

std::string joinedOptions(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) text += option + '\n';
  return text;
}

// What a driver makes of code from a compiler that is newer than itself is its own affair.
std::string adviceForLoading() {
  const Nvrtc& compiler = Nvrtc::get();
  if (compiler.major() * 1000 + compiler.minor() * 10 <= driver.version) return {};
  return joined(". NVRTC ", compiler.version(), " (", compiler.path(), ") is newer than the driver, which is made for CUDA ",
                driver.version / 1000, ".", driver.version % 1000 / 10, ": update the driver, or name an older NVRTC in METILE_NVRTC");
}

}  // namespace

Kernels::Kernels(unsigned architecture, std::uint32_t sharedBytes)
    : architecture_(architecture), sharedBytes_(sharedBytes), kernels_(new Kernel[maximumKernels]) {}

std::uint32_t Kernels::load(const std::string& text, const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t index = 0; index < sources_.size(); index++) {
    if (sources_[index].text == text && sources_[index].name == name) return static_cast<std::uint32_t>(index) + 1;
  }
  sources_.push_back({text, name});
  sourceCount_.store(static_cast<std::uint32_t>(sources_.size()), std::memory_order_release);
  return static_cast<std::uint32_t>(sources_.size());
}

// Strict arithmetic: no contraction, denormals kept, division and roots rounded correctly, as Metal's safe mode with precise
// functions. Only `fast` gives that up.
std::vector<std::string> Kernels::optionsOf(const KernelRequest& request) const {
  std::vector<std::string> options = {"--gpu-architecture=sm_" + std::to_string(architecture_), "--std=c++17", "--device-as-default-execution-space",
                                      "-DMETILE_THREADS=" + std::to_string(request.groupThreads)};
  if (request.mathMode == MathMode::fast) options.push_back("--use_fast_math");
  else options.push_back("--fmad=false");
  for (const auto& [name, value] : request.macros) options.push_back("-D" + name + "=" + value);
  return options;
}

std::uint32_t Kernels::kernel(const KernelRequest& request) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (request.library == 0 || request.library > sources_.size()) {
    throwRange("library ", request.library, " does not exist; there are ", sources_.size());
  }
  if (request.groupThreads == 0 || request.groupThreads > maximumThreads) {
    throwRange("kernel ", request.entry, " for ", request.groupThreads, " threads a threadgroup; this device has 1 to ", maximumThreads);
  }
  const std::string key = std::to_string(request.library) + '\n' + joinedOptions(optionsOf(request)) + request.entry;
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return known->second;
  if (kernelCount() == maximumKernels) throw Failure(FailureKind::kernel, "no more kernels: 65536 variants exist");
  Function function = nullptr;
  const Result result = driver.moduleFunction(&function, module(request), request.entry.c_str());
  if (result != success) {
    throw Failure(FailureKind::kernel, joined("there is no kernel ", request.entry, " in the text (", describe(result), ")"));
  }
  const std::uint32_t number = add(function, request);
  numbers_.emplace(key, number);
  return number;
}

Module Kernels::module(const KernelRequest& request) {
  const std::vector<std::string> options = optionsOf(request);
  const std::string key = std::to_string(request.library) + '\n' + joinedOptions(options);
  const auto known = modules_.find(key);
  if (known != modules_.end()) return known->second;
  const Source& source = sources_[request.library - 1];
  const std::string cubin = cubinOf(source, options);
  Module module = nullptr;
  const Result result = driver.moduleLoad(&module, cubin.data());
  if (result != success) throw Failure(FailureKind::kernel, joined(source.name, " does not load: ", describe(result), adviceForLoading()));
  modules_.emplace(key, module);
  return module;
}

std::string Kernels::cubinOf(const Source& source, const std::vector<std::string>& options) {
  const std::string key =
      CubinCache::keyOf(std::string(cacheVersion) + '\n' + Nvrtc::get().version() + '\n' + joinedOptions(options) + source.name + '\n' + source.text);
  std::string cubin;
  if (cache_.find(key, cubin)) return cubin;
  Compiled compiled = Nvrtc::get().compile(source.text, source.name, options);
  if (compiled.cubin.empty()) {
    throw Failure(FailureKind::kernel, joined(source.name, " does not compile: ", compiled.log.substr(0, maximumMessage)));
  }
  compiled_.fetch_add(1, std::memory_order_relaxed);
  cache_.store(key, compiled.cubin);
  return std::move(compiled.cubin);
}

std::uint32_t Kernels::add(Function function, const KernelRequest& request) {
  const auto attribute = [&](int which) {
    int value = 0;
    driver.functionAttribute(&value, which, function);
    return static_cast<std::uint32_t>(value);
  };
  const std::uint32_t index = kernelCount();
  Kernel& kernel = kernels_[index];
  kernel.function = function;
  kernel.threads = request.groupThreads;
  kernel.information.maximumThreads = attribute(functionMaximumThreads);
  kernel.information.executionWidth = 32;
  kernel.information.staticThreadgroupBytes = attribute(functionSharedBytes);
  kernel.information.registers = attribute(functionRegisters);
  kernel.information.spilledBytes = attribute(functionLocalBytes);
  if (kernel.information.maximumThreads < request.groupThreads) {
    throw Failure(FailureKind::kernel, joined("kernel ", request.entry, " runs with at most ", kernel.information.maximumThreads,
                                              " threads a threadgroup here; ", request.groupThreads, " were asked for"));
  }
  kernelCount_.store(index + 1, std::memory_order_release);
  return index + 1;
}

}  // namespace metile::cuda
