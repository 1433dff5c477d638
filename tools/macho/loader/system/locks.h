// Mutexes and condition variables in macOS's layout.
#pragma once

#include <pthread.h>

namespace macho {

pthread_mutex_t* nativeMutex(void* object);
pthread_cond_t* nativeCondition(void* object);
void destroyMutex(void* object);
void destroyCondition(void* object);

}  // namespace macho
