#include "fibers.h"
#include <stdint.h>
#include <sys/mman.h>

#if defined(__x86_64__)
__asm__(R"(
  .text
  .hidden metile_switch
  .globl metile_switch
  .type metile_switch, @function
metile_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");
const size_t resume_word = 6, frame_words = 8; // behind the return address a word that aligns the stack
#elif defined(__aarch64__)
__asm__(R"(
  .text
  .hidden metile_switch
  .globl metile_switch
  .type metile_switch, %function
metile_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
)");
const size_t resume_word = 11, frame_words = 20;
#else
#error "the switch between fibers is written for x86-64 and arm64"
#endif

char* stacks;
static unsigned made; // stacks with their forbidden pages in place
static const unsigned limit = 1024;

bool make_stacks(unsigned count) {
  if (stacks == nullptr) {
    void* memory = mmap(nullptr, limit * stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    stacks = (char*)memory;
  }
  const size_t forbidden = 64 << 10;
  for (; made < count; ++made) mprotect(stacks + made * stack_bytes, forbidden, PROT_NONE);
  return true;
}

void* new_context(unsigned stack, void (*entry)()) {
  // tops that differ in their low bits: at the same place in every stack they would share one set of the cache
  char* top = stacks + (stack + 1) * stack_bytes - stack % 64 * 320;
  uintptr_t* frame = (uintptr_t*)((uintptr_t)top & ~(uintptr_t)15) - frame_words;
  for (size_t i = 0; i < frame_words; ++i) frame[i] = 0;
  frame[resume_word] = (uintptr_t)entry;
  return frame;
}
