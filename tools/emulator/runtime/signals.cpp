// Faults of kernels, in a process that has handlers of its own: they are put back after each launch, and meanwhile get
// every fault that is not a kernel's.
#include "module.h"
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
static const unsigned caught_count = sizeof caught / sizeof *caught;
static struct sigaction before[caught_count];
static stack_t stack_before;
static pthread_t runner;
static __attribute__((aligned(64))) char stack[65536];

static void pass_on(int signal, siginfo_t* what, void* state) {
  for (unsigned i = 0; i < caught_count; ++i) {
    if (caught[i] != signal) continue;
    const struct sigaction& other = before[i];
    if (other.sa_flags & SA_SIGINFO) other.sa_sigaction(signal, what, state);
    else if (other.sa_handler == SIG_DFL) sigaction(signal, &other, nullptr); // it happens again, and ends the process
    else if (other.sa_handler != SIG_IGN) other.sa_handler(signal);
    return;
  }
}

static void fail(int signal, siginfo_t* what, void* state) {
  if (current == nullptr || !pthread_equal(pthread_self(), runner)) {
    pass_on(signal, what, state);
    return;
  }
  Address where = 0;
#if defined(__x86_64__)
  where = (Address)((ucontext_t*)state)->uc_mcontext.gregs[16] + 1; // the instruction itself, as if it were a call
#elif defined(__aarch64__)
  where = (Address)((ucontext_t*)state)->uc_mcontext.pc + 1;
#endif
  if (signal == SIGFPE) report("division", current, where, 0, "integer division by zero, or of the lowest number by -1");
  else if (signal == SIGSEGV || signal == SIGBUS) report("crash", current, where, 0, "an access to %p, where there is no memory", what->si_addr);
  else report("crash", current, where, 0, "signal %d", signal);
  end_run("stopped"); // on the stack of the scheduler: this one is free again
}

void catch_faults() {
  runner = pthread_self();
  stack_t own = {};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, &stack_before);
  struct sigaction action = {};
  action.sa_sigaction = fail;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; // no mask to restore when fail leaves by a switch
  for (unsigned i = 0; i < caught_count; ++i) sigaction(caught[i], &action, &before[i]);
}

void release_faults() {
  for (unsigned i = 0; i < caught_count; ++i) sigaction(caught[i], &before[i], nullptr);
  sigaltstack(&stack_before, nullptr);
}
