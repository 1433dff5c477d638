// Compiled kernels: shared libraries with the C interface that the compile server and the stand-in agree on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

extern "C" {

struct MetileModuleBuffer {
  void* data;
  std::uint64_t bytes;  // from data to the end of the buffer
};

struct MetileModuleLaunch {
  const char* kernel;
  std::uint32_t groups[3];
  std::uint32_t threads[3];  // of a threadgroup
  MetileModuleBuffer buffers[31];  // data null: nothing is bound
  std::uint32_t threadgroupBytes[31];
};
}

namespace standin {

using ModuleRun = int (*)(const MetileModuleLaunch*, char* message, std::uint64_t messageBytes);

struct KernelBuffer {
  std::uint32_t index;
  bool constant;
  bool writable;
  std::uint64_t bytes;  // that the kernel reads at least; 0: unknown
};

struct Kernel {
  std::string name;
  std::uint64_t threadgroupBytes = 0;  // declared in the kernel's body
  std::vector<KernelBuffer> buffers;
  std::vector<std::uint32_t> threadgroups;  // slots that need memory
};

/// One compiled text. Modules are never unloaded.
struct Module {
  ModuleRun run = nullptr;
  std::vector<Kernel> kernels;
};

struct CompileRequest {
  std::string text;
  std::vector<std::pair<std::string, std::string>> macros;
  std::string languageVersion;
  std::string mathMode;
};

/// Null when the text does not compile, or nothing can compile it; `failure` is the compiler's log.
const Module* compileModule(const CompileRequest& request, std::string& failure);

/// Runs a launch; one at a time in a process. False: `failure` is the module's report.
bool runModule(const Module& module, const MetileModuleLaunch& launch, std::string& failure);

}  // namespace standin
