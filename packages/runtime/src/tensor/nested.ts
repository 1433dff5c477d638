import { ShapeError } from "../errors/index.js";
import { describeShape, sizeOf } from "./geometry.js";

/** A number array of any of JavaScript's typed kinds. */
export type HostArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** Nested arrays of numbers, bigints or booleans; typed arrays may be the innermost level. */
export type Nested = number | bigint | boolean | HostArray | readonly Nested[];

/** What tensors are made of. */
export type TensorValues = Nested;

/** The innermost elements of nested arrays, down to six levels. */
type Leaf<Values, Depth extends readonly unknown[] = [1, 1, 1, 1, 1, 1]> = Values extends HostArray
  ? Values
  : Values extends readonly (infer Item)[]
    ? Depth extends readonly [unknown, ...infer Rest]
      ? Leaf<Item, Rest>
      : number
    : Values;

/** The type that values have when none is named, as far as TypeScript can tell. */
export type NaturalDtype<Values> =
  Leaf<Values> extends Int8Array | Int16Array | Int32Array | BigInt64Array | BigUint64Array | bigint
    ? "int32"
    : Leaf<Values> extends Uint32Array
      ? "uint32"
      : Leaf<Values> extends boolean
        ? "bool"
        : "float32";

/** Values without their nesting. */
export type Flat = HostArray | readonly (number | bigint | boolean)[];

/** The kind of a typed array, also of one from another realm (a vm context, a test runner). */
export function kindOf(values: unknown): string | undefined {
  return ArrayBuffer.isView(values) && !(values instanceof DataView)
    ? ((values as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? undefined)
    : undefined;
}

/** Whether values are a typed array. */
export function isHostArray(values: unknown): values is HostArray {
  return kindOf(values) !== undefined;
}

/** Whether values are a Float32Array, of any realm. */
export function isFloat32Array(values: unknown): values is Float32Array {
  return kindOf(values) === "Float32Array";
}

function isLevel(node: Nested): node is HostArray | readonly Nested[] {
  return Array.isArray(node) || isHostArray(node);
}

/** Where an array of values differs from what its first elements promise: at `[1][0]`. */
interface Ragged {
  path: string;
  readonly received: string;
}

type Level = HostArray | readonly Nested[];

/** Appends an innermost level's elements; gives the place of one that is an array itself. */
function takePlain(level: readonly Nested[], flat: Nested[]): Ragged | undefined {
  for (let index = 0; index < level.length; index += 1) {
    const node = level[index] as Nested;
    if (typeof node === "object" && isLevel(node))
      return { path: `[${index}]`, received: `an array of ${node.length}` };
    flat.push(node);
  }
  return undefined;
}

/** Hands the innermost levels to `take`, in order; the path of a ragged one is put together on the way out. */
function collect(
  level: Level,
  depth: number,
  shape: readonly number[],
  take: (level: Level) => Ragged | undefined,
): Ragged | undefined {
  if (level.length !== shape[depth]) return { path: "", received: `an array of ${level.length}` };
  if (depth + 1 === shape.length) return take(level);
  for (let index = 0; index < level.length; index += 1) {
    const node = level[index] as Nested;
    const ragged = isLevel(node) ? collect(node, depth + 1, shape, take) : { path: "", received: String(node) };
    if (ragged !== undefined) {
      ragged.path = `[${index}]${ragged.path}`;
      return ragged;
    }
  }
  return undefined;
}

/** Flattens nested arrays and finds their shape; ragged ones are refused. Typed arrays inside make one of their kind. */
export function flatten(operation: string, values: Nested): { flat: Flat; shape: number[] } {
  if (!isLevel(values)) return { flat: [values], shape: [] };
  const shape: number[] = [];
  let innermost: Level = values;
  for (let level: Nested = values; isLevel(level); level = level[0] as Nested) {
    innermost = level;
    shape.push(level.length);
    if (level.length === 0) break;
  }
  const kind = kindOf(innermost);
  let flat: Flat = [];
  let take = (level: Level) => takePlain(level as readonly Nested[], flat as Nested[]);
  if (kind !== undefined) {
    const typed = new (innermost.constructor as new (length: number) => HostArray)(sizeOf(shape));
    let at = 0;
    flat = typed;
    take = (level) => {
      if (kindOf(level) !== kind)
        return { path: "", received: `a ${kindOf(level) ?? "plain array"}, and ${kind}s before it` };
      typed.set(level as never, at);
      at += level.length;
      return undefined;
    };
  }
  const ragged = collect(values, 0, shape, take);
  if (ragged === undefined) return { flat, shape };
  throw new ShapeError({
    operation,
    argument: `values${ragged.path}`,
    expected: `nested arrays of one shape, as the first elements have: ${describeShape(shape)}`,
    received: ragged.received,
  });
}
