#include "thread_variables.h"

#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "format.h"

namespace macho {
namespace {

struct Variables {
  pthread_key_t key;
  ThreadTemplate initial;
};

struct Descriptor {
  void (*address)();
  const Variables* variables;
  std::uint64_t offset;
};

}  // namespace

extern "C" void machoThreadVariable();

extern "C" void* machoThreadVariableSlow(const Descriptor* descriptor) {
  const Variables& variables = *descriptor->variables;
  auto* block = static_cast<std::uint8_t*>(pthread_getspecific(variables.key));
  if (block == nullptr) {
    block = static_cast<std::uint8_t*>(std::malloc(variables.initial.bytes));
    if (block == nullptr) std::abort();
    std::memcpy(block, variables.initial.start, variables.initial.bytes);
    pthread_setspecific(variables.key, block);
  }
  return block + descriptor->offset;
}

// Compiled code takes it for granted that this call changes no register but x0, x16, x17 and the link register.
asm(R"(
  .text
  .balign 4
  .globl machoThreadVariable
  .hidden machoThreadVariable
machoThreadVariable:
  sub sp, sp, #656
  stp x29, x30, [sp]
  mov x29, sp
  stp x1, x2, [sp, #16]
  stp x3, x4, [sp, #32]
  stp x5, x6, [sp, #48]
  stp x7, x8, [sp, #64]
  stp x9, x10, [sp, #80]
  stp x11, x12, [sp, #96]
  stp x13, x14, [sp, #112]
  str x15, [sp, #128]
  stp q0, q1, [sp, #144]
  stp q2, q3, [sp, #176]
  stp q4, q5, [sp, #208]
  stp q6, q7, [sp, #240]
  stp q8, q9, [sp, #272]
  stp q10, q11, [sp, #304]
  stp q12, q13, [sp, #336]
  stp q14, q15, [sp, #368]
  stp q16, q17, [sp, #400]
  stp q18, q19, [sp, #432]
  stp q20, q21, [sp, #464]
  stp q22, q23, [sp, #496]
  stp q24, q25, [sp, #528]
  stp q26, q27, [sp, #560]
  stp q28, q29, [sp, #592]
  stp q30, q31, [sp, #624]
  bl machoThreadVariableSlow
  ldp q30, q31, [sp, #624]
  ldp q28, q29, [sp, #592]
  ldp q26, q27, [sp, #560]
  ldp q24, q25, [sp, #528]
  ldp q22, q23, [sp, #496]
  ldp q20, q21, [sp, #464]
  ldp q18, q19, [sp, #432]
  ldp q16, q17, [sp, #400]
  ldp q14, q15, [sp, #368]
  ldp q12, q13, [sp, #336]
  ldp q10, q11, [sp, #304]
  ldp q8, q9, [sp, #272]
  ldp q6, q7, [sp, #240]
  ldp q4, q5, [sp, #208]
  ldp q2, q3, [sp, #176]
  ldp q0, q1, [sp, #144]
  ldr x15, [sp, #128]
  ldp x13, x14, [sp, #112]
  ldp x11, x12, [sp, #96]
  ldp x9, x10, [sp, #80]
  ldp x7, x8, [sp, #64]
  ldp x5, x6, [sp, #48]
  ldp x3, x4, [sp, #32]
  ldp x1, x2, [sp, #16]
  ldp x29, x30, [sp]
  add sp, sp, #656
  ret
)");

void prepareThreadVariables(std::uint8_t* descriptors, std::size_t bytes, const ThreadTemplate& initial) {
  auto* variables = new Variables{{}, initial};
  if (pthread_key_create(&variables->key, std::free) != 0) throw std::runtime_error("no more keys of thread variables");
  for (std::size_t done = 0; done + sizeof(Descriptor) <= bytes; done += sizeof(Descriptor)) {
    const Descriptor descriptor{machoThreadVariable, variables, readAt<std::uint64_t>(descriptors, done + 16)};
    std::memcpy(descriptors + done, &descriptor, sizeof descriptor);
  }
}

}  // namespace macho
