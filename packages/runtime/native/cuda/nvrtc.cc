#include "nvrtc.h"

#include <dlfcn.h>

#include "../stream/failure.h"
#include "library.h"

namespace metile::cuda {

struct NvrtcLoader {
  Nvrtc compiler;
  std::string reason;

  NvrtcLoader() {
    std::vector<std::string> candidates = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    for (const char* pattern : {"/usr/local/cuda/lib64/libnvrtc.so.*", "/usr/local/cuda-*/lib64/libnvrtc.so.*",
                                "/usr/lib/x86_64-linux-gnu/libnvrtc.so.*", "/usr/lib/aarch64-linux-gnu/libnvrtc.so.*",
                                "/usr/lib64/libnvrtc.so.*", "/opt/cuda/lib64/libnvrtc.so.*"}) {
      for (std::string& path : matching(pattern)) {
        if (path.find("alt") == std::string::npos) candidates.push_back(std::move(path));
      }
    }
    const Opened opened = openLibrary("METILE_NVRTC", candidates);
    if (opened.handle == nullptr) {
      reason = "there is no NVRTC, NVIDIA's run-time compiler: " + opened.search() +
               ". Install it with CUDA's packages (cuda-nvrtc-13 or libnvrtc13), or name the file in METILE_NVRTC";
      return;
    }
    compiler.path_ = opened.path;
    std::string missing;
    const auto find = [&](auto& target, const char* name) {
      target = reinterpret_cast<std::remove_reference_t<decltype(target)>>(dlsym(opened.handle, name));
      if (target == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(name);
    };
    find(compiler.version_, "nvrtcVersion");
    find(compiler.create_, "nvrtcCreateProgram");
    find(compiler.compile_, "nvrtcCompileProgram");
    find(compiler.cubinSize_, "nvrtcGetCUBINSize");
    find(compiler.cubin_, "nvrtcGetCUBIN");
    find(compiler.logSize_, "nvrtcGetProgramLogSize");
    find(compiler.log_, "nvrtcGetProgramLog");
    find(compiler.destroy_, "nvrtcDestroyProgram");
    find(compiler.errorString_, "nvrtcGetErrorString");
    if (!missing.empty()) {
      reason = "the NVRTC " + opened.path + " is too old; it lacks " + missing;
      return;
    }
    compiler.version_(&compiler.major_, &compiler.minor_);
  }

  static const NvrtcLoader& shared() {
    static const NvrtcLoader* loader = new NvrtcLoader;
    return *loader;
  }
};

const Nvrtc& Nvrtc::get() {
  const NvrtcLoader& loader = NvrtcLoader::shared();
  if (!loader.reason.empty()) throw Failure(FailureKind::kernel, loader.reason);
  return loader.compiler;
}

std::string Nvrtc::missing() { return NvrtcLoader::shared().reason; }

Compiled Nvrtc::compile(const std::string& text, const std::string& name, const std::vector<std::string>& options) const {
  Compiled result;
  Program program = nullptr;
  int status = create_(&program, text.c_str(), name.c_str(), 0, nullptr, nullptr);
  if (status != 0) {
    result.log = errorString_(status);
    return result;
  }
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  status = compile_(program, static_cast<int>(words.size()), words.data());
  std::size_t size = 0;
  if (logSize_(program, &size) == 0 && size > 1) {
    result.log.resize(size);
    log_(program, result.log.data());
    while (!result.log.empty() && (result.log.back() == '\0' || result.log.back() == '\n')) result.log.pop_back();
  }
  if (status != 0 && result.log.empty()) result.log = errorString_(status);
  if (status == 0 && cubinSize_(program, &size) == 0) {
    result.cubin.resize(size);
    if (cubin_(program, result.cubin.data()) != 0) result.cubin.clear();
  }
  destroy_(&program);
  return result;
}

}  // namespace metile::cuda
