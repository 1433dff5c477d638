#include "library.h"

#include <dlfcn.h>
#include <glob.h>

#include <algorithm>
#include <cstdlib>

namespace metile::cuda {

std::string Opened::search() const {
  std::string text = "looked for ";
  for (std::size_t index = 0; index < tried.size(); index++) text += (index > 0 ? ", " : "") + tried[index];
  return reason.empty() ? text : text + " (" + reason + ")";
}

Opened openLibrary(const char* variable, const std::vector<std::string>& candidates) {
  Opened opened;
  const char* named = std::getenv(variable);
  opened.tried = named != nullptr && *named != '\0' ? std::vector<std::string>{named} : candidates;
  for (const std::string& path : opened.tried) {
    opened.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened.handle != nullptr) {
      opened.path = path;
      return opened;
    }
    const char* error = dlerror();
    opened.reason = error != nullptr ? error : "no reason given";
  }
  return opened;
}

std::vector<std::string> matching(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found = {};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  std::reverse(paths.begin(), paths.end());
  return paths;
}

}  // namespace metile::cuda
