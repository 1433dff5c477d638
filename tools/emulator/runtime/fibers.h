// Contexts of execution with stacks of their own, and the switch between them.
#pragma once
#include <stddef.h>

const size_t stack_bytes = 512 << 10;

// Leaves the present context in *from and goes on where `to` was left; no system call, and of the processor's state only
// what a call must keep.
extern "C" void metile_switch(void** from, void* to);

// Address space for stacks, one after the other. Below each lie forbidden pages, so that an overflow is a crash and not
// another thread's problem. Null when there is none left.
extern char* stacks;
bool make_stacks(unsigned count);

// A context that will begin with `entry` on the given stack; entry never returns.
void* new_context(unsigned stack, void (*entry)());
