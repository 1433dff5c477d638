// Compiled kernels on disk, so that a later process compiles nothing.
#pragma once

#include <string>

namespace metile::cuda {

class CubinCache {
 public:
  // METILE_CACHE, XDG_CACHE_HOME/metile or ~/.cache/metile, with a folder for CUDA in it.
  CubinCache();

  // The file of a key: name and contents that were stored whole. False where there is none, or a damaged one.
  bool find(const std::string& key, std::string& cubin) const;

  // Stores a file, whole or not at all. A folder that cannot be written to is no error: it is compiled again next time.
  void store(const std::string& key, const std::string& cubin) const;

  // A name for everything that a cubin depends on.
  static std::string keyOf(const std::string& everything);

 private:
  std::string folder_;  // empty: there is none
};

}  // namespace metile::cuda
