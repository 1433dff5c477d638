const COMPONENTS = ["x", "y", "z"] as const;

/** The number of a thread in its threadgroup, where threadgroups have one dimension and where they may have three. */
const FLAT_INDEX = "threadIdx.x";
const INDEX = "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)";
const THREADS = "(blockDim.x * blockDim.y * blockDim.z)";

/** Attributes that have a value for each dimension. */
const GRID: ReadonlyMap<string, (component: string) => string> = new Map([
  ["thread_position_in_threadgroup", (c: string) => `threadIdx.${c}`],
  ["threads_per_threadgroup", (c: string) => `blockDim.${c}`],
  ["dispatch_threads_per_threadgroup", (c: string) => `blockDim.${c}`],
  ["threadgroup_position_in_grid", (c: string) => `(metile_first.${c} + blockIdx.${c})`],
  ["threadgroups_per_grid", (c: string) => `metile_groups.${c}`],
  ["thread_position_in_grid", (c: string) => `((metile_first.${c} + blockIdx.${c}) * blockDim.${c} + threadIdx.${c})`],
  ["threads_per_grid", (c: string) => `(metile_groups.${c} * blockDim.${c})`],
]);

/** Attributes that are one number, by the thread's number. */
const SINGLE: ReadonlyMap<string, (index: string) => string> = new Map([
  ["thread_index_in_threadgroup", (index: string) => index],
  ["thread_index_in_simdgroup", (index: string) => `(${index} & 31u)`],
  ["simdgroup_index_in_threadgroup", (index: string) => `(${index} >> 5)`],
  ["simdgroups_per_threadgroup", () => `((${THREADS} + 31u) >> 5)`],
  ["dispatch_simdgroups_per_threadgroup", () => `((${THREADS} + 31u) >> 5)`],
  ["threads_per_simdgroup", () => "32u"],
  ["thread_execution_width", () => "32u"],
]);

/**
 * What a thread's attribute is on CUDA. `metile_first` and `metile_groups` are parameters of the entry: a grid may be
 * launched in parts.
 *
 * @param lanes - of the parameter's type
 * @param flat - whether threadgroups have one dimension
 */
export function positionOf(attribute: string, type: string, lanes: number, flat: boolean): string {
  const component = GRID.get(attribute);
  const parts =
    component === undefined
      ? [(SINGLE.get(attribute) as (index: string) => string)(flat ? FLAT_INDEX : INDEX)]
      : COMPONENTS.slice(0, lanes).map(component);
  return `${type}(${parts.join(", ")})`;
}
