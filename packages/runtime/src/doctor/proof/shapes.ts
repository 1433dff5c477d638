import type { PairContract } from "../../pair/contract.js";

/** Sizes to try an operation at. */
export interface Sizes {
  /** What "…" stands for. */
  readonly leading: readonly number[];
  /** Extents, in the order in which their names appear in the contract. */
  readonly extents: readonly number[];
}

/** Two kinds of rows: those that packets of any width divide, and odd ones. */
export const even: Sizes = { leading: [3, 5], extents: [64, 32, 16, 8] };
export const odd: Sizes = { leading: [7], extents: [33, 17, 9, 5] };

/**
 * The dimensions of a shape in words: "(…, columns)", or the name of a shape alone, which is tried as one extent.
 *
 * @returns undefined where it says more than names and numbers
 */
export function dimensionsOf(shape: string): readonly string[] | undefined {
  const inside = /^\(([^()]*)\)$/.exec(shape.trim())?.[1] ?? /^[A-Za-z_]\w*$/.exec(shape.trim())?.[0];
  if (inside === undefined) return undefined;
  const dimensions = inside
    .split(",")
    .map((dimension) => dimension.trim())
    .filter((dimension) => dimension !== "");
  return dimensions.every((dimension) => /^(…|\d+|[A-Za-z_]\w*)$/.test(dimension)) ? dimensions : undefined;
}

/** Whether a shape has rows: "…" before its extents. */
export function hasRows(shape: string): boolean {
  return dimensionsOf(shape)?.includes("…") ?? false;
}

/**
 * The shapes of inputs at given sizes; a name is one extent wherever it appears.
 *
 * @returns undefined when a shape cannot be read, or there are more names than sizes
 */
export function shapesAt(
  inputs: Readonly<Record<string, { readonly shape: string }>>,
  bounds: PairContract["bounds"],
  sizes: Sizes,
): Readonly<Record<string, number[]>> | undefined {
  const known = new Map<string, number>();
  const shapes: Record<string, number[]> = {};
  for (const [name, { shape }] of Object.entries(inputs)) {
    const dimensions = dimensionsOf(shape);
    if (dimensions === undefined) return undefined;
    const numbers: number[] = [];
    for (const dimension of dimensions) {
      if (dimension === "…") numbers.push(...sizes.leading);
      else if (/^\d/.test(dimension)) numbers.push(Number(dimension));
      else {
        const extent = known.get(dimension) ?? sizes.extents[known.size];
        if (extent === undefined) return undefined;
        known.set(dimension, extent);
        numbers.push(Math.min(extent, bounds[dimension] ?? extent));
      }
    }
    shapes[name] = numbers;
  }
  return shapes;
}
