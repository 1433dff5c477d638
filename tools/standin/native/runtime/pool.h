// Autorelease pools of a thread.
#pragma once

namespace standin {

void* pushPool();
void popPool(void* token);

}  // namespace standin
