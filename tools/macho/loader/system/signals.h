#pragma once

#include <signal.h>

#include <cstdint>

namespace macho {

// macOS's sets of signals are 32 bits, and some signals have other numbers there.
using AppleSignals = std::uint32_t;

sigset_t nativeSignals(AppleSignals set);
AppleSignals appleSignals(const sigset_t& set);

}  // namespace macho
