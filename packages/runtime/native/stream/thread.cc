#include "thread.h"

#include <pthread.h>
#include <signal.h>

#include <new>

namespace metile {
namespace {

// Kernels may keep rows on the stack; macOS gives secondary threads only half a MiB.
constexpr std::size_t stackBytes = 8u << 20;

struct Start {
  const char* name;
  void (*body)(void*);
  void* argument;
};

void* enter(void* pointer) {
  const Start start = *static_cast<Start*>(pointer);
  delete static_cast<Start*>(pointer);
#if defined(__APPLE__)
  pthread_setname_np(start.name);
#else
  pthread_setname_np(pthread_self(), start.name);
#endif
  start.body(start.argument);
  return nullptr;
}

}  // namespace

bool startThread(const char* name, void (*body)(void*), void* argument) {
  auto* start = new (std::nothrow) Start{name, body, argument};
  if (start == nullptr) return false;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    delete start;
    return false;
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stackBytes);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits the mask
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, enter, start) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (!started) delete start;
  return started;
}

}  // namespace metile
