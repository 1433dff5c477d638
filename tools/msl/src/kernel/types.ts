/** Types of Metal that kernels exchange with the host, and the attributes that tell a thread where it is. */

const SCALARS = ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float"];
const ATOMICS = ["atomic_int", "atomic_uint", "atomic_bool", "atomic_ulong", "atomic_float"];
const CONSTANT_SCALARS = ["bool", "int", "uint", "long", "ulong", "float"];

/** Types of buffer elements besides type macros. */
export const ELEMENT_TYPES: ReadonlySet<string> = new Set([
  ...SCALARS,
  ...ATOMICS,
  ...SCALARS.flatMap((scalar) => [2, 3, 4].flatMap((lanes) => [`${scalar}${lanes}`, `packed_${scalar}${lanes}`])),
]);

/** Types of constants: scalars, and vectors of 2 or 4 numbers (one of 3 has padding that differs by target). */
export const CONSTANT_TYPES: ReadonlySet<string> = new Set([
  ...CONSTANT_SCALARS,
  ...CONSTANT_SCALARS.slice(1).flatMap((scalar) => [2, 4].map((lanes) => `${scalar}${lanes}`)),
]);

const INDEX_TYPES = ["uint", "ushort"];
const GRID_TYPES = [1, 2, 3].flatMap((lanes) => INDEX_TYPES.map((type) => (lanes === 1 ? type : `${type}${lanes}`)));

/** What an attribute of a kernel's parameter is, on a CPU, where a threadgroup has one thread. */
export interface Builtin {
  /** Types that the parameter may have. */
  readonly types: readonly string[];
  /** Every component's value on the CPU; "group" and "groups" are those of the grid. */
  readonly cpu: "0" | "1" | "group" | "groups";
}

/** Attributes of parameters that are no buffers. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["thread_position_in_grid", { types: GRID_TYPES, cpu: "group" }],
  ["threadgroup_position_in_grid", { types: GRID_TYPES, cpu: "group" }],
  ["threads_per_grid", { types: GRID_TYPES, cpu: "groups" }],
  ["threadgroups_per_grid", { types: GRID_TYPES, cpu: "groups" }],
  ["thread_position_in_threadgroup", { types: GRID_TYPES, cpu: "0" }],
  ["threads_per_threadgroup", { types: GRID_TYPES, cpu: "1" }],
  ["dispatch_threads_per_threadgroup", { types: GRID_TYPES, cpu: "1" }],
  ["thread_index_in_threadgroup", { types: INDEX_TYPES, cpu: "0" }],
  ["thread_index_in_simdgroup", { types: INDEX_TYPES, cpu: "0" }],
  ["simdgroup_index_in_threadgroup", { types: INDEX_TYPES, cpu: "0" }],
  ["simdgroups_per_threadgroup", { types: INDEX_TYPES, cpu: "1" }],
  ["dispatch_simdgroups_per_threadgroup", { types: INDEX_TYPES, cpu: "1" }],
  ["threads_per_simdgroup", { types: INDEX_TYPES, cpu: "1" }],
  ["thread_execution_width", { types: INDEX_TYPES, cpu: "1" }],
]);

/** Buffers that a launch can bind. */
export const BUFFER_LIMIT = 31;

/** Lanes of a vector type, 1 for scalars: `uint3` has 3. */
export function lanesOf(type: string): number {
  const lanes = /[a-z]([234])$/.exec(type)?.[1];
  return lanes === undefined ? 1 : Number(lanes);
}
