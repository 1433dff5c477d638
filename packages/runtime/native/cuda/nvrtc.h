// NVIDIA's run-time compiler.
#pragma once

#include <string>
#include <vector>

namespace metile::cuda {

struct Compiled {
  std::string cubin;  // empty: it did not compile
  std::string log;
};

class Nvrtc {
 public:
  // The compiler that the process found, opened at the first call. Throws a kernel failure that says where it was looked for.
  static const Nvrtc& get();

  // Whether one is there, without a throw; else why not.
  static std::string missing();

  int major() const { return major_; }
  int minor() const { return minor_; }
  std::string version() const { return std::to_string(major_) + "." + std::to_string(minor_); }
  const std::string& path() const { return path_; }

  Compiled compile(const std::string& text, const std::string& name, const std::vector<std::string>& options) const;

 private:
  friend struct NvrtcLoader;
  using Program = struct ProgramObject*;

  int (*version_)(int*, int*) = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*cubinSize_)(Program, std::size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
  int (*logSize_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  const char* (*errorString_)(int) = nullptr;
  int major_ = 0;
  int minor_ = 0;
  std::string path_;
};

}  // namespace metile::cuda
