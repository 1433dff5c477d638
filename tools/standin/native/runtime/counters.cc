#include "counters.h"

namespace standin {

Counters& counters() {
  static auto* only = new Counters;
  return *only;
}

}  // namespace standin
