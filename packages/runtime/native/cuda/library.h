// NVIDIA's libraries, found by dlopen: nothing of CUDA is needed to build, and a machine without it says where it was looked for.
#pragma once

#include <string>
#include <vector>

namespace metile::cuda {

struct Opened {
  void* handle = nullptr;
  std::string path;                   // that was opened
  std::vector<std::string> tried;     // in order
  std::string reason;                 // of the last refusal

  // "looked for libcuda.so.1, /usr/lib/…: reason"
  std::string search() const;
};

// Opens the first candidate that there is. One that `variable` of the environment names is the only candidate.
Opened openLibrary(const char* variable, const std::vector<std::string>& candidates);

// Paths that match a pattern with *, newest name first.
std::vector<std::string> matching(const std::string& pattern);

}  // namespace metile::cuda
