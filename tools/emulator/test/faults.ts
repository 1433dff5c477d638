import type { EmulateOptions, ReportKind } from "../src/index.js";

/** A kernel with one mistake, in the line that the comment FAULT marks. */
export interface Fault {
  readonly title: string;
  readonly kind: ReportKind;
  /** Body of a kernel with the parameters of {@link SIGNATURE}. */
  readonly body: string;
  readonly options?: Partial<EmulateOptions>;
}

/** Parameters of all kernels here: `output` has one float a thread, `input` as many. */
export const SIGNATURE = `kernel void fault(
    device const float* input [[buffer(0)]],
    device float* output [[buffer(1)]],
    device atomic_uint* counter [[buffer(2)]],
    constant uint& count [[buffer(3)]],
    threadgroup float* scratch [[threadgroup(0)]],
    uint group [[threadgroup_position_in_grid]],
    uint i [[thread_position_in_grid]],
    uint tid [[thread_position_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])`;

/** Races within and between threadgroups. */
export const RACES: readonly Fault[] = [
  {
    title: "a missing barrier",
    kind: "race",
    body: `
  scratch[tid] = input[i];
  output[i] = scratch[(tid + 1) % 64]; // FAULT`,
  },
  {
    title: "a barrier that orders other memory",
    kind: "race",
    body: `
  scratch[tid] = input[i];
  threadgroup_barrier(mem_flags::mem_device);
  output[i] = scratch[63 - tid]; // FAULT`,
  },
  {
    title: "a barrier that orders nothing",
    kind: "race",
    body: `
  scratch[tid] = input[i];
  threadgroup_barrier(mem_flags::mem_none);
  output[i] = scratch[63 - tid]; // FAULT`,
  },
  {
    title: "scratch that is written again while others read",
    kind: "race",
    body: `
  scratch[tid] = input[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  output[i] = scratch[63 - tid];
  scratch[tid] = 0.0f; // FAULT`,
  },
  {
    title: "a simdgroup barrier where the whole threadgroup must wait",
    kind: "race",
    body: `
  scratch[tid] = input[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  output[i] = scratch[(tid + 32) % 64]; // FAULT`,
  },
  {
    title: "simd_sum taken for a barrier",
    kind: "race",
    body: `
  scratch[tid] = input[i];
  float sum = simd_sum(input[i]);
  output[i] = sum + scratch[tid ^ 1]; // FAULT`,
  },
  {
    title: "all threads write one place",
    kind: "race",
    body: `
  output[i] = 0.0f;
  scratch[0] = input[i]; // FAULT`,
  },
  {
    title: "a variable in threadgroup memory without a barrier",
    kind: "race",
    body: `
  threadgroup float shared[64];
  shared[tid] = input[i];
  output[i] = shared[tid ^ 32]; // FAULT`,
  },
  {
    title: "device memory that a neighbour reads without a barrier",
    kind: "race",
    body: `
  output[i] = input[i];
  float other = output[i ^ 1]; // FAULT
  if (other < 0.0f) output[i] = other;`,
  },
  {
    title: "device memory behind a barrier for threadgroup memory",
    kind: "race",
    body: `
  output[i] = input[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float other = output[i ^ 1]; // FAULT
  threadgroup_barrier(mem_flags::mem_device);
  output[i] = other;`,
  },
  {
    title: "an atomic counter that is also read plainly",
    kind: "race",
    body: `
  output[i] = input[i];
  if (simdgroup == 0) atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
  else output[i] = float(((device uint*)counter)[0]); // FAULT`,
  },
  {
    title: "threadgroups that write the same place",
    kind: "race-between-threadgroups",
    body: `
  output[i] = input[i];
  if (tid == 0) output[0] = 1.0f; // FAULT`,
  },
  {
    title: "a threadgroup that reads what another wrote",
    kind: "race-between-threadgroups",
    body: `
  output[i] = input[i];
  threadgroup_barrier(mem_flags::mem_device);
  float other = output[tid]; // FAULT
  if (other < 0.0f) output[i] = other;`,
  },
  {
    title: "a threadgroup that writes what another read",
    kind: "race-between-threadgroups",
    body: `
  if (group == 0) output[i] = output[127 - tid] + input[i];
  else output[i] = input[i]; // FAULT`,
    options: { initialised: ["output", "counter"] },
  },
];

/** Threads that part ways. */
export const DIVERGENCES: readonly Fault[] = [
  {
    title: "a barrier that half of the threads reach",
    kind: "barrier-divergence",
    body: `
  output[i] = input[i];
  if (tid < 32) threadgroup_barrier(mem_flags::mem_threadgroup); // FAULT`,
  },
  {
    title: "two barriers in two branches",
    kind: "barrier-divergence",
    body: `
  output[i] = input[i];
  if (simdgroup == 0) {
    threadgroup_barrier(mem_flags::mem_threadgroup); // FAULT
  } else {
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }`,
  },
  {
    title: "a return before a barrier",
    kind: "barrier-divergence",
    body: `
  output[i] = input[i];
  if (tid == 63) return;
  threadgroup_barrier(mem_flags::mem_threadgroup); // FAULT`,
  },
  {
    title: "a barrier in a loop of uneven length",
    kind: "barrier-divergence",
    body: `
  output[i] = input[i];
  for (uint turn = 0; turn <= simdgroup; ++turn) {
    threadgroup_barrier(mem_flags::mem_threadgroup); // FAULT
  }`,
  },
  {
    title: "simd_sum in a branch of some lanes",
    kind: "simd-divergence",
    body: `
  output[i] = input[i];
  if (lane < 7) output[i] = simd_sum(input[i]); // FAULT`,
  },
  {
    title: "a simd function in a branch, another behind it",
    kind: "simd-divergence",
    body: `
  float sum = 0.0f;
  if (lane < 16) sum = simd_sum(input[i]); // FAULT
  output[i] = simd_max(sum);`,
  },
  {
    title: "simd_max behind a return of some lanes",
    kind: "simd-divergence",
    body: `
  output[i] = input[i];
  if (lane == 31) return;
  output[i] = simd_max(input[i]); // FAULT`,
  },
  {
    title: "some lanes at a simdgroup barrier",
    kind: "simd-divergence",
    body: `
  output[i] = input[i];
  if (lane > 3) simdgroup_barrier(mem_flags::mem_none); // FAULT`,
  },
  {
    title: "a shuffle from a lane past the simdgroup",
    kind: "missing-lane",
    body: `
  output[i] = simd_shuffle(input[i], ushort(lane + 1)); // FAULT`,
  },
  {
    title: "an exchange with a lane that a partial simdgroup lacks",
    kind: "missing-lane",
    body: `
  output[i] = simd_shuffle_xor(input[i], 16); // FAULT`,
    options: { threads: 40 },
  },
];

/** Accesses that are wrong by themselves. */
export const ACCESSES: readonly Fault[] = [
  {
    title: "a read past an input",
    kind: "out-of-bounds",
    body: `
  output[i] = input[i + 1]; // FAULT`,
  },
  {
    title: "a read before an input",
    kind: "out-of-bounds",
    body: `
  output[i] = input[(int)i - 1]; // FAULT`,
  },
  {
    title: "a write past an output",
    kind: "out-of-bounds",
    body: `
  output[i] = input[i];
  output[i + 128] = 0.0f; // FAULT`,
  },
  {
    title: "a write far away from every buffer",
    kind: "out-of-bounds",
    body: `
  output[i] = input[i];
  output[i + (1ul << 50)] = 0.0f; // FAULT`,
  },
  {
    title: "an access past threadgroup memory of the launch",
    kind: "out-of-bounds",
    body: `
  scratch[tid + 1] = input[i]; // FAULT
  output[i] = input[i];`,
  },
  {
    title: "a vector that straddles the end of a buffer",
    kind: "out-of-bounds",
    body: `
  output[i] = input[i];
  if (i == 31) output[i] = ((device const float4*)input)[i + 1].w; // FAULT`,
  },
  {
    title: "an index past an array of fixed size",
    kind: "index-out-of-bounds",
    body: `
  float values[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  output[i] = values[(uint)input[i] + 4]; // FAULT`,
  },
  {
    title: "a row past a threadgroup variable",
    kind: "index-out-of-bounds",
    body: `
  threadgroup float tile[2][33];
  tile[simdgroup + 1][lane] = input[i]; // FAULT
  output[i] = input[i];`,
  },
  {
    title: "a vector at an odd address",
    kind: "misaligned",
    body: `
  output[i] = input[i];
  if (i == 0) output[i] = ((device const float4*)(input + 1))->x; // FAULT`,
  },
  {
    title: "threadgroup memory that nobody wrote",
    kind: "uninitialised-threadgroup",
    body: `
  output[i] = scratch[tid] + input[i]; // FAULT`,
  },
  {
    title: "threadgroup memory that another threadgroup wrote",
    kind: "uninitialised-threadgroup",
    body: `
  if (group == 0) scratch[tid] = input[i];
  output[i] = scratch[tid]; // FAULT`,
  },
  {
    title: "an output that is added to before it is written",
    kind: "uninitialised-output",
    body: `
  output[i] += input[i]; // FAULT`,
  },
  {
    title: "a write through a cast of an input",
    kind: "write-to-constant",
    body: `
  output[i] = input[i];
  ((device float*)input)[i] = 0.0f; // FAULT`,
  },
  {
    title: "a variable of another thread",
    kind: "foreign-private",
    body: `
  threadgroup ulong address[1];
  float own = input[i];
  if (tid == 0) address[0] = (ulong)&own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  output[i] = *(thread float*)address[0]; // FAULT`,
  },
  {
    title: "an integer division by zero",
    kind: "division",
    body: `
  output[i] = float(count / (i - i)); // FAULT`,
  },
  {
    title: "a loop without end",
    kind: "timeout",
    body: `
  output[i] = input[i];
  while (atomic_load_explicit(counter, memory_order_relaxed) == 0) {} // FAULT`,
    options: { seconds: 1 },
  },
];
