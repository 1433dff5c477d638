// Whether the live runtime's methods have the types that the host sends their messages with.
#pragma once

#include <string>
#include <vector>

#include "facts.h"

namespace metile::metal {

struct AbiDifference {
  std::string receiver;  // class of the object
  std::string selector;
  std::string ours;      // type encodings without offsets and qualifiers
  std::string theirs;    // empty: there is no such method
};

struct AbiReport {
  unsigned checked = 0;
  std::vector<AbiDifference> differences;
  std::vector<std::string> unreached;  // kinds of receivers of which none could be made
};

// Makes one object of each kind and compares every message of messages.h. A difference is something to report, not a refusal:
// a private class may spell an enumeration otherwise.
AbiReport checkAbi(objc::id device, const Facts& facts);

}  // namespace metile::metal
