// Threads of libSystem. An attribute object has 64 bytes on both systems, so that Linux's fits into macOS's.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "../imports.h"
#include "locks.h"
#include "signals.h"

namespace macho {
namespace {

static_assert(sizeof(pthread_attr_t) <= 64);

int mutexInit(void* mutex, const void*) {
  *static_cast<std::uint64_t*>(mutex) = 0;
  nativeMutex(mutex);
  return 0;
}
int mutexDestroy(void* mutex) { return destroyMutex(mutex), 0; }
int mutexLock(void* mutex) { return pthread_mutex_lock(nativeMutex(mutex)); }
int mutexTryLock(void* mutex) { return pthread_mutex_trylock(nativeMutex(mutex)) == 0 ? 0 : 16 /* EBUSY */; }
int mutexUnlock(void* mutex) { return pthread_mutex_unlock(nativeMutex(mutex)); }

int conditionInit(void* condition, const void*) {
  *static_cast<std::uint64_t*>(condition) = 0;
  nativeCondition(condition);
  return 0;
}
int conditionDestroy(void* condition) { return destroyCondition(condition), 0; }
int conditionSignal(void* condition) { return pthread_cond_signal(nativeCondition(condition)); }
int conditionBroadcast(void* condition) { return pthread_cond_broadcast(nativeCondition(condition)); }
int conditionWait(void* condition, void* mutex) {
  return pthread_cond_wait(nativeCondition(condition), nativeMutex(mutex));
}

int attributesSetDetached(pthread_attr_t* attributes, int state) {
  constexpr int appleJoinable = 1, appleDetached = 2;
  if (state != appleJoinable && state != appleDetached) return EINVAL;
  return pthread_attr_setdetachstate(attributes, state == appleDetached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
}

int signalMask(int how, const AppleSignals* set, AppleSignals* before) {
  if (how < 1 || how > 3) return EINVAL;  // block, unblock, set: Linux counts from 0
  sigset_t wanted, old;
  if (set != nullptr) wanted = nativeSignals(*set);
  const int result = pthread_sigmask(how - 1, set == nullptr ? nullptr : &wanted, &old);
  if (before != nullptr) *before = appleSignals(old);
  return result;
}

int setName(const char* name) { return pthread_setname_np(pthread_self(), name); }

int keyCreate(unsigned long* key, void (*destroy)(void*)) {
  pthread_key_t made;
  const int result = pthread_key_create(&made, destroy);
  *key = made;
  return result;
}
int keySet(unsigned long key, const void* value) { return pthread_setspecific(static_cast<pthread_key_t>(key), value); }
void* keyGet(unsigned long key) { return pthread_getspecific(static_cast<pthread_key_t>(key)); }

// Linux has no classes of service.
int setServiceClass(unsigned, int) { return 0; }

unsigned machThread(pthread_t) { return static_cast<unsigned>(syscall(SYS_gettid)); }

}  // namespace

std::vector<Provided> threadFunctions() {
  return {
      provide("_pthread_mutex_init", mutexInit),
      provide("_pthread_mutex_destroy", mutexDestroy),
      provide("_pthread_mutex_lock", mutexLock),
      provide("_pthread_mutex_trylock", mutexTryLock),
      provide("_pthread_mutex_unlock", mutexUnlock),
      provide("_pthread_cond_init", conditionInit),
      provide("_pthread_cond_destroy", conditionDestroy),
      provide("_pthread_cond_signal", conditionSignal),
      provide("_pthread_cond_broadcast", conditionBroadcast),
      provide("_pthread_cond_wait", conditionWait),
      provide("_pthread_attr_init", pthread_attr_init),
      provide("_pthread_attr_destroy", pthread_attr_destroy),
      provide("_pthread_attr_setstacksize", pthread_attr_setstacksize),
      provide("_pthread_attr_setdetachstate", attributesSetDetached),
      provide("_pthread_create", pthread_create),
      provide("_pthread_join", pthread_join),
      provide("_pthread_detach", pthread_detach),
      provide("_pthread_self", pthread_self),
      provide("_pthread_sigmask", signalMask),
      provide("_pthread_setname_np", setName),
      provide("_pthread_mach_thread_np", machThread),
      provide("_pthread_set_qos_class_self_np", setServiceClass),
      provide("_pthread_key_create", keyCreate),
      provide("_pthread_setspecific", keySet),
      provide("_pthread_getspecific", keyGet),
  };
}

}  // namespace macho
