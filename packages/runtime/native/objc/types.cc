#include "types.h"

namespace metile::objc {

std::string plainEncoding(const char* encoding) {
  std::string plain;
  int depth = 0;  // within a structure digits may be part of a name
  for (const char* at = encoding; *at != '\0'; at++) {
    if (*at == '"') {  // the name of a class or a member
      while (at[1] != '\0' && at[1] != '"') at++;
      if (at[1] != '\0') at++;
      continue;
    }
    if (*at == '{') depth++;
    if (*at == '}') depth--;
    const bool offset = *at >= '0' && *at <= '9' && depth == 0;
    const bool qualifier = depth == 0 && (*at == 'r' || *at == 'n' || *at == 'N' || *at == 'o' || *at == 'O' || *at == 'V');
    if (!offset && !qualifier) plain += *at;
  }
  return plain;
}

}  // namespace metile::objc
