#include "signals.h"

namespace macho {
namespace {

// By macOS's number; 0 where Linux has no such signal.
constexpr int nativeNumbers[32] = {
    0,       SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT,   0,       SIGFPE,  SIGKILL, SIGBUS,
    SIGSEGV, SIGSYS,  SIGPIPE, SIGALRM, SIGTERM, SIGURG,  SIGSTOP,   SIGTSTP, SIGCONT, SIGCHLD, SIGTTIN,
    SIGTTOU, SIGIO,   SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGWINCH, 0,      SIGUSR1, SIGUSR2,
};

}  // namespace

sigset_t nativeSignals(AppleSignals set) {
  sigset_t native;
  // A full set means all signals, also those that macOS does not have.
  if (set == ~AppleSignals{0}) {
    sigfillset(&native);
    return native;
  }
  sigemptyset(&native);
  for (int number = 1; number < 32; number++) {
    if ((set >> (number - 1) & 1) != 0 && nativeNumbers[number] != 0) sigaddset(&native, nativeNumbers[number]);
  }
  return native;
}

AppleSignals appleSignals(const sigset_t& set) {
  AppleSignals apple = 0;
  for (int number = 1; number < 32; number++) {
    if (nativeNumbers[number] != 0 && sigismember(&set, nativeNumbers[number]) == 1) apple |= AppleSignals{1} << (number - 1);
  }
  return apple;
}

}  // namespace macho
