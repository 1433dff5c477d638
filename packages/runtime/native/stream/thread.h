// Threads of the addon: detached, alive until the process ends, and deaf to signals, which belong to the main thread.
#pragma once

namespace metile {

// Runs `body(argument)` on a new thread; false when the system refuses one.
bool startThread(const char* name, void (*body)(void*), void* argument);

}  // namespace metile
