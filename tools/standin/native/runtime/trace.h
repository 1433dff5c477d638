// METILE_STANDIN_TRACE: a line for every message that is sent.
#pragma once

#include "types.h"

namespace standin {

extern bool tracing;

void openTrace();
void trace(const Class& receiver, Selector selector);

}  // namespace standin
