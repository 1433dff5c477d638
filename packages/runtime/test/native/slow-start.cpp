// Preloaded: whoever starts a thread of the addon goes on half a second after it, as if it had been preempted.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <string.h>

using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  static Create* const create = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  const int result = create(thread, attributes, body, argument);
  Dl_info caller;
  const bool found = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
  if (found && strstr(caller.dli_fname, "metile_runtime") != nullptr) usleep(500'000);
  return result;
}
