import { ArgumentError, DtypeError, describePlain, LifetimeError, ShapeError } from "../errors/index.js";
import { Tensor } from "../tensor/tensor.js";
import type { OptionContract, PairContract } from "./contract.js";
import type { GradientType } from "./types.js";

/** What a value is, for an error message. */
export function describeValue(value: unknown): string {
  return value instanceof Tensor ? describeTensor(value) : describePlain(value);
}

function describeTensor({ dtype, shape }: Tensor): string {
  return `a ${dtype} tensor [${shape.join(", ")}]`;
}

/** Frameworks that watch objects wrap them; such a wrapper looks like a tensor and cannot be read as one. */
function isDisposed(operation: string, argument: string, value: Tensor): boolean {
  try {
    return value.disposed;
  } catch (cause) {
    throw new ArgumentError({
      operation,
      argument,
      expected: "a tensor",
      received: "a proxy or copy of one",
      hint: "Pass the tensor itself (in Vue: markRaw or toRaw).",
      cause,
    });
  }
}

/** Throws unless a value is a live tensor of one of the types. */
export function checkTensor(
  operation: string,
  argument: string,
  value: unknown,
  dtypes?: readonly string[],
): asserts value is Tensor {
  if (!(value instanceof Tensor))
    throw new ArgumentError({
      operation,
      argument,
      expected: "a tensor",
      received: describeValue(value),
      hint: ArrayBuffer.isView(value) || Array.isArray(value) ? "Make one with tensor(values, shape)." : undefined,
    });
  if (isDisposed(operation, argument, value))
    throw new LifetimeError({ operation, argument, expected: "a live tensor", received: "one that was disposed of" });
  if (dtypes !== undefined && !dtypes.includes(value.dtype))
    throw new DtypeError({ operation, argument, expected: dtypes.join(", "), received: value.dtype });
}

/** Throws unless a tensor has a shape. */
export function checkShapeIs(operation: string, argument: string, value: Tensor, expected: readonly number[]): void {
  const same = value.rank === expected.length && expected.every((extent, axis) => value.shape[axis] === extent);
  if (!same)
    throw new ShapeError({
      operation,
      argument,
      expected: `shape [${expected.join(", ")}]`,
      received: `[${value.shape.join(", ")}]`,
    });
}

/** Throws when an extent is past an operation's bound. */
export function checkBound(operation: string, argument: string, what: string, extent: number, bound: number): void {
  if (extent > bound)
    throw new ShapeError({ operation, argument, expected: `at most ${bound} ${what}`, received: String(extent) });
}

function checkOption(operation: string, argument: string, value: unknown, option: OptionContract): void {
  const fail = (expected: string): never => {
    throw new (option.kind === "number" && typeof value === "number" ? ShapeError : ArgumentError)({
      operation,
      argument,
      expected,
      received: describeValue(value),
    });
  };
  switch (option.kind) {
    case "number": {
      const above = option.above ?? Number.NEGATIVE_INFINITY;
      // float32 is what kernels compute in: what is 0 or infinite there is refused here.
      const rounded = typeof value === "number" ? Math.fround(value) : Number.NaN;
      if (!Number.isFinite(rounded) || rounded <= above)
        fail(above === Number.NEGATIVE_INFINITY ? "a finite number" : `a finite number above ${above}, in float32 too`);
      return;
    }
    case "boolean":
      if (typeof value !== "boolean") fail("true or false");
      return;
    case "choice":
      if (!option.choices.includes(value as string)) fail(option.choices.map((choice) => `"${choice}"`).join(" or "));
      return;
    case "shape":
      if (!Array.isArray(value) || !value.every((extent) => Number.isInteger(extent) && extent > 0))
        fail("a list of whole numbers above 0");
  }
}

/** The options with defaults filled in; unknown names and values out of bounds throw. */
export function completeOptions(
  contract: PairContract,
  given: Readonly<Record<string, unknown>>,
  also: readonly string[],
): Record<string, unknown> {
  const complete: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(contract.options)) {
    const value = given[name];
    if (value !== undefined) checkOption(contract.name, name, value, option);
    complete[name] = value ?? option.default;
  }
  checkNames(contract.name, "options", given, [...Object.keys(contract.options), ...also]);
  return complete;
}

/** Throws when an object has a name that is not among the known ones. */
export function checkNames(operation: string, argument: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new ArgumentError({ operation, argument, expected: known.join(", "), received: `"${name}"` });
}

/** Throws unless a value is a type of gradients. */
export function checkGradientType(operation: string, value: unknown): GradientType {
  if (value === "float32" || value === "input") return value;
  throw new ArgumentError({
    operation,
    argument: "gradientType",
    expected: '"float32" or "input"',
    received: describeValue(value),
  });
}

/** The names of differentiable inputs that are there, checked against what the caller wants. */
export function checkWanted(
  contract: PairContract,
  wanted: readonly string[] | undefined,
  available: readonly string[],
): readonly string[] {
  if (wanted === undefined) return available;
  if (!Array.isArray(wanted))
    throw new ArgumentError({
      operation: contract.name,
      argument: "wanted",
      expected: "a list of names of inputs",
      received: describeValue(wanted),
    });
  for (const name of wanted)
    if (!available.includes(name))
      throw new ArgumentError({
        operation: contract.name,
        argument: "wanted",
        expected: `names among ${available.map((item) => `"${item}"`).join(", ") || "none"}`,
        received: describeValue(name),
      });
  return [...new Set(wanted)];
}
