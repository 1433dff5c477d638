// Kernels for the tests of the addon, with the entry points that libraries of kernels have.
#include <stdint.h>

struct metile_launch {
  void* buffers[31];
  uint32_t groups[3];
  uint32_t reserved;
};

#define ENTRY(name) extern "C" void name(const metile_launch* launch, uint64_t begin, uint64_t end)
#define BUFFER(type, index) static_cast<type*>(launch->buffers[index])
#define CONSTANT(type, index) (*static_cast<const type*>(launch->buffers[index]))

extern "C" const uint32_t metile_artefact_version;
extern "C" const uint32_t metile_artefact_version = 2;

// target[row][column] = source[row][column] * factor; a group is a row.
ENTRY(scale) {
  const float* source = BUFFER(const float, 0);
  float* target = BUFFER(float, 1);
  const uint32_t columns = CONSTANT(uint32_t, 2);
  const float factor = CONSTANT(float, 3);
  for (uint64_t row = begin; row < end; row++) {
    for (uint32_t column = 0; column < columns; column++) {
      target[row * columns + column] = source[row * columns + column] * factor;
    }
  }
}

// state[i] = state[i] * factor + added, modulo 2^32: tells the order of what was run. A group is an element.
ENTRY(step) {
  uint32_t* state = BUFFER(uint32_t, 0);
  for (uint64_t element = begin; element < end; element++) {
    state[element] = state[element] * CONSTANT(uint32_t, 1) + CONSTANT(uint32_t, 2);
  }
}

// Row sums in order, which differ in their last bits when the order differs. A group is a row.
ENTRY(row_sum) {
  const float* source = BUFFER(const float, 0);
  float* sums = BUFFER(float, 1);
  const uint32_t columns = CONSTANT(uint32_t, 2);
  for (uint64_t row = begin; row < end; row++) {
    float sum = 0;
    for (uint32_t column = 0; column < columns; column++) sum += source[row * columns + column];
    sums[row] = sum;
  }
}

// Writes x, y, z and the grid of each group.
ENTRY(places) {
  uint32_t* target = BUFFER(uint32_t, 0);
  const uint64_t x = launch->groups[0];
  const uint64_t y = launch->groups[1];
  for (uint64_t group = begin; group < end; group++) {
    uint32_t* place = target + group * 6;
    place[0] = group % x;
    place[1] = group / x % y;
    place[2] = group / (x * y);
    for (int axis = 0; axis < 3; axis++) place[3 + axis] = launch->groups[axis];
  }
}

// Where the constants lie and what they hold: buffer 0 receives 7 words.
ENTRY(constants) {
  uint32_t* target = BUFFER(uint32_t, 0);
  const uint64_t wide = CONSTANT(uint64_t, 5);
  const uint32_t* four = static_cast<const uint32_t*>(launch->buffers[9]);
  target[0] = wide;
  target[1] = wide >> 32;
  for (int word = 0; word < 4; word++) target[2 + word] = four[word];
  target[6] = (reinterpret_cast<uintptr_t>(launch->buffers[5]) | reinterpret_cast<uintptr_t>(launch->buffers[9])) % 16 == 0 &&
              launch->buffers[11] == nullptr;
}

// Copies labels and sets the status words for one that is not below the limit. A group is a label.
ENTRY(check_labels) {
  const int32_t* labels = BUFFER(const int32_t, 0);
  int32_t* target = BUFFER(int32_t, 1);
  uint32_t* status = BUFFER(uint32_t, 2);
  const uint32_t limit = CONSTANT(uint32_t, 3);
  for (uint64_t row = begin; row < end; row++) {
    target[row] = labels[row];
    if (labels[row] >= 0 && static_cast<uint32_t>(labels[row]) < limit) continue;
    status[1] = row;
    status[2] = labels[row];
    status[3] = limit;
    __atomic_store_n(&status[0], 1u, __ATOMIC_RELEASE);
  }
}

// Keeps a core busy, for a number of steps a group, and leaves the number of the step at buffer 0.
ENTRY(burn) {
  uint32_t* target = BUFFER(uint32_t, 0);
  const uint32_t steps = CONSTANT(uint32_t, 1);
  for (uint64_t group = begin; group < end; group++) {
    uint32_t value = 1;
    for (uint32_t index = 0; index < steps; index++) {
      value = value * 1664525u + 1013904223u;
      asm volatile("" : "+r"(value));
    }
    target[group] = value | 1u;
  }
}
