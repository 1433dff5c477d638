import { canonicalType, type Parameter } from "../kernel/parameter.js";
import type { KernelSyntax } from "../kernel/parse.js";
import type { KernelReflection } from "../kernel/reflection.js";
import { BUILTINS, lanesOf } from "../kernel/types.js";
import { functionName } from "./function.js";
import type { Guard } from "./guard.js";

/** Bytes of dynamic threadgroup memory: what Metal promises at least. */
const SCRATCH_BYTES = 32768;

const COMPONENTS = ["x", "y", "z"] as const;

/**
 * The exported function that runs a range of threadgroups: loads buffers and constants once, then walks the range row by
 * row of the grid, so that the loop over x is a plain one.
 *
 * @param name - the entry's name
 */
export function writeEntry(
  name: string,
  kernel: KernelSyntax,
  reflection: KernelReflection,
  guard: Guard | null,
): string {
  const loads = kernel.parameters.flatMap((parameter) => loadParameter(parameter, reflection));
  const values = kernel.parameters.map((parameter) => argumentOf(parameter)).join(", ");
  const independent = isElementwise(kernel) ? ["    METILE_INDEPENDENT"] : [];
  const bound =
    guard === null
      ? []
      : [
          `    const uint64_t metile_limit = ${guard.limit};`,
          "    if (metile_last > metile_limit) metile_last = (uint32_t)metile_limit;",
        ];
  return [
    `extern "C" void ${name}(const metile_launch* metile_at, uint64_t metile_begin, uint64_t metile_end) {`,
    ...loads.map((line) => `  ${line}`),
    "  const uint32_t metile_groups_x = metile_at->groups[0], metile_groups_y = metile_at->groups[1];",
    "  const uint32_t metile_groups_z = metile_at->groups[2];",
    "  while (metile_begin < metile_end) {",
    "    const uint64_t metile_row = metile_begin / metile_groups_x;",
    "    const uint32_t metile_first = (uint32_t)(metile_begin - metile_row * metile_groups_x);",
    "    const uint32_t metile_y = (uint32_t)(metile_row % metile_groups_y);",
    "    const uint32_t metile_z = (uint32_t)(metile_row / metile_groups_y);",
    "    const uint64_t metile_left = metile_end - metile_begin;",
    "    const uint32_t metile_space = metile_groups_x - metile_first;",
    "    const uint32_t metile_count = metile_left < metile_space ? (uint32_t)metile_left : metile_space;",
    "    uint32_t metile_last = metile_first + metile_count;",
    ...bound,
    ...independent,
    "    for (uint32_t metile_x = metile_first; metile_x < metile_last; ++metile_x)",
    `      ${functionName(kernel)}(${values});`,
    "    metile_begin += metile_count;",
    "  }",
    "}",
    "",
  ].join("\n");
}

/** Whether threads have nothing in common, so that the compiler may run several at once. */
function isElementwise({ parameters }: KernelSyntax): boolean {
  return (
    parameters.some(({ attributes }) => attributes.some(({ name }) => name.text === "thread_position_in_grid")) &&
    !parameters.some(({ space, spelling }) => space === "threadgroup" || spelling.includes("atomic"))
  );
}

/** The lines that make a kernel's parameter a local of the entry; none where it depends on the threadgroup. */
function loadParameter(
  { name, space, indirection, isConst, spelling }: Parameter,
  reflection: KernelReflection,
): string[] {
  const named = (other: { readonly name: string }) => other.name === name.text;
  if (space === "threadgroup") {
    return [
      `alignas(64) unsigned char metile_${name.text}[${SCRATCH_BYTES}];`,
      `${spelling}* const ${name.text} = (${spelling}*)metile_${name.text};`,
    ];
  }
  const constant = reflection.constants.find(named);
  if (constant !== undefined) {
    return [`const ${spelling} ${name.text} = metile_constant<${spelling}>(metile_at->buffers[${constant.index}]);`];
  }
  const buffer = reflection.buffers.find(named);
  if (buffer === undefined) return [];
  const type = `${isConst || space === "constant" ? "const " : ""}${spelling}`;
  const address = `(${type}*)metile_at->buffers[${buffer.index}]`;
  return [indirection === "&" ? `${type}& ${name.text} = *${address};` : `${type}* const ${name.text} = ${address};`];
}

/** What an entry passes for a parameter. */
function argumentOf({ name, spelling, attributes }: Parameter): string {
  const builtin = BUILTINS.get(attributes[0]?.name.text ?? "");
  if (builtin === undefined) return name.text;
  const lanes = lanesOf(canonicalType(spelling, new Map()));
  const values = COMPONENTS.slice(0, lanes).map((component) => {
    if (builtin.cpu === "group") return `metile_${component}`;
    if (builtin.cpu === "groups") return `metile_groups_${component}`;
    return `${builtin.cpu}u`;
  });
  return `${spelling}(${values.join(", ")})`;
}
