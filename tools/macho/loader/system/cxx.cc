// macOS's libc++: the one that is linked into this library, except for objects that compiled code makes in macOS's layout.
#include "cxx_names.h"

#include "../imports.h"
#include "locks.h"

namespace macho {
namespace {

struct UniqueLock {  // as std::unique_lock<std::mutex> lies in memory
  void* mutex;
  bool owns;
};

void lock(void* mutex) { pthread_mutex_lock(nativeMutex(mutex)); }
bool tryLock(void* mutex) { return pthread_mutex_trylock(nativeMutex(mutex)) == 0; }
void unlock(void* mutex) { pthread_mutex_unlock(nativeMutex(mutex)); }
void notifyOne(void* condition) { pthread_cond_signal(nativeCondition(condition)); }
void notifyAll(void* condition) { pthread_cond_broadcast(nativeCondition(condition)); }
void wait(void* condition, UniqueLock& held) {
  pthread_cond_wait(nativeCondition(condition), nativeMutex(held.mutex));
}

}  // namespace

std::vector<Provided> cxxSymbols() {
  std::vector<Provided> symbols = {
      provide("__ZNSt3__15mutex4lockEv", lock),
      provide("__ZNSt3__15mutex8try_lockEv", tryLock),
      provide("__ZNSt3__15mutex6unlockEv", unlock),
      provide("__ZNSt3__15mutexD1Ev", destroyMutex),
      provide("__ZNSt3__15mutexD2Ev", destroyMutex),
      provide("__ZNSt3__118condition_variable10notify_oneEv", notifyOne),
      provide("__ZNSt3__118condition_variable10notify_allEv", notifyAll),
      provide("__ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE", wait),
      provide("__ZNSt3__118condition_variableD1Ev", destroyCondition),
      provide("__ZNSt3__118condition_variableD2Ev", destroyCondition),
  };
  for (const CxxName* next = cxxNames; next->name != nullptr; next++) {
    symbols.push_back({next->name, const_cast<void*>(next->address)});
  }
  return symbols;  // the first of a name counts
}

}  // namespace macho
