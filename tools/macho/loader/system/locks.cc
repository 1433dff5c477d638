#include "locks.h"

#include "held.h"

namespace macho {
namespace {

constexpr std::uintptr_t mutexSignature = 0x32aaaba7;
constexpr std::uintptr_t conditionSignature = 0x3cb0b1bb;

}  // namespace

pthread_mutex_t* nativeMutex(void* object) {
  return held<pthread_mutex_t>(
      object, mutexSignature, [](pthread_mutex_t* mutex) { pthread_mutex_init(mutex, nullptr); }, pthread_mutex_destroy);
}

pthread_cond_t* nativeCondition(void* object) {
  return held<pthread_cond_t>(
      object, conditionSignature, [](pthread_cond_t* condition) { pthread_cond_init(condition, nullptr); },
      pthread_cond_destroy);
}

void destroyMutex(void* object) { letGo<pthread_mutex_t>(object, mutexSignature, pthread_mutex_destroy); }

void destroyCondition(void* object) { letGo<pthread_cond_t>(object, conditionSignature, pthread_cond_destroy); }

}  // namespace macho
