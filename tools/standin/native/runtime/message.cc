// objc_msgSend: finds the method and jumps to it with every argument register as it was.

#include <cstring>

#include "class.h"
#include "trace.h"
#include "violation.h"

namespace standin {

namespace {

/// Why a message has no method, in the words of the real runtime where it has some.
[[noreturn]] void refuse(const Class& receiver, Selector selector) {
  const char kind = receiver.meta ? '+' : '-';
  for (const Class* at = &receiver; at != nullptr; at = at->super) {
    for (std::size_t index = 0; index < factCount; index++) {
      const Fact& fact = facts[index];
      if (std::strcmp(fact.owner, at->owner) != 0 || std::strcmp(fact.selector, selectorName(selector)) != 0) continue;
      if (fact.kind == kind) {
        violationOutside("%c[%s %s]: unrecognized selector: it came with macOS %d.%d", kind, at->owner, fact.selector,
                         fact.since / 100, fact.since % 100);
      }
    }
  }
  violationOutside("%c[%s %s]: unrecognized selector", kind, receiver.owner, selectorName(selector));
}

}  // namespace

extern "C" __attribute__((used, visibility("hidden"))) Implementation standin_find(Object* self, Selector selector) {
  const Life life = self->life.load(std::memory_order_relaxed);
  if (life != Life::alive) {
    if (life == Life::freed) {
      violationOutside("message %s to a freed %s", selectorName(selector), self->isa->owner);
    }
    violationOutside("message %s to something that is no object", selectorName(selector));
  }
  const Class* receiver = self->isa;
  if (receiver == nullptr) violationOutside("message %s to a metaclass", selectorName(selector));
  const Method* found = receiver->find(selector);
  lastSent = {receiver, selector};
  if (tracing) trace(*receiver, selector);
  if (found == nullptr) refuse(*receiver, selector);
  if (found->implementation == nullptr) {
    violationOutside("not implemented in the stand-in: %c[%s %s]", found->fact->kind, found->fact->owner,
                     found->fact->selector);
  }
  return found->implementation;
}

}  // namespace standin

// A message to nil gives zeros in every result register, and leaves a result in memory as it is.
#if defined(__x86_64__)

#define SAVE_ARGUMENTS                                                                            \
  "push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n"             \
  "sub $128, %rsp\n"                                                                              \
  "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n" \
  "movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"

#define JUMP_WITH_ARGUMENTS                                                                       \
  "mov %rax, %r11\n"                                                                              \
  "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n" \
  "movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n" \
  "add $128, %rsp\n"                                                                              \
  "pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"                    \
  "jmp *%r11\n"

asm(".text\n"
    ".p2align 4\n"
    ".globl objc_msgSend\n"
    ".type objc_msgSend, @function\n"
    "objc_msgSend:\n"
    "test %rdi, %rdi\n"
    "jz 1f\n" SAVE_ARGUMENTS
    "call standin_find\n" JUMP_WITH_ARGUMENTS
    "1: xor %eax, %eax\n xor %edx, %edx\n xorps %xmm0, %xmm0\n xorps %xmm1, %xmm1\n ret\n"
    ".size objc_msgSend, . - objc_msgSend\n"
    ".p2align 4\n"
    ".globl objc_msgSend_stret\n"
    ".type objc_msgSend_stret, @function\n"
    "objc_msgSend_stret:\n"
    "test %rsi, %rsi\n"
    "jz 1f\n" SAVE_ARGUMENTS
    "mov %rsi, %rdi\n mov %rdx, %rsi\n"
    "call standin_find\n" JUMP_WITH_ARGUMENTS
    "1: mov %rdi, %rax\n ret\n"
    ".size objc_msgSend_stret, . - objc_msgSend_stret\n");

#elif defined(__aarch64__)

asm(".text\n"
    ".p2align 4\n"
    ".globl objc_msgSend\n"
    ".type objc_msgSend, %function\n"
    "objc_msgSend:\n"
    "cbz x0, 1f\n"
    "stp x29, x30, [sp, #-16]!\n mov x29, sp\n sub sp, sp, #208\n"
    "stp x0, x1, [sp]\n stp x2, x3, [sp, #16]\n stp x4, x5, [sp, #32]\n stp x6, x7, [sp, #48]\n str x8, [sp, #64]\n"
    "stp q0, q1, [sp, #80]\n stp q2, q3, [sp, #112]\n stp q4, q5, [sp, #144]\n stp q6, q7, [sp, #176]\n"
    "bl standin_find\n"
    "mov x16, x0\n"
    "ldp x0, x1, [sp]\n ldp x2, x3, [sp, #16]\n ldp x4, x5, [sp, #32]\n ldp x6, x7, [sp, #48]\n ldr x8, [sp, #64]\n"
    "ldp q0, q1, [sp, #80]\n ldp q2, q3, [sp, #112]\n ldp q4, q5, [sp, #144]\n ldp q6, q7, [sp, #176]\n"
    "mov sp, x29\n ldp x29, x30, [sp], #16\n"
    "br x16\n"
    "1: mov x1, #0\n movi v0.2d, #0\n movi v1.2d, #0\n movi v2.2d, #0\n movi v3.2d, #0\n ret\n"
    ".size objc_msgSend, . - objc_msgSend\n");

#else
#error "the stand-in knows x86-64 and arm64"
#endif
