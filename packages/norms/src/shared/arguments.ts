import { ShapeError, type Tensor } from "@metile/runtime";
import { checkBound, checkShapeIs } from "@metile/runtime/family";

/** Where values are rounded to the source's type. */
export type Casting = "gemma" | "llama";

/** The kernels' number for a casting mode. */
export function castingCode(casting: Casting): number {
  return casting === "llama" ? 1 : 0;
}

/** The width of a source's rows; a source without a last dimension, without columns or with too many is refused. */
export function checkColumns(operation: string, source: Tensor, most: number): number {
  const columns = source.shape[source.rank - 1];
  if (columns === undefined || columns === 0)
    throw new ShapeError({
      operation,
      argument: "source",
      expected: "a last dimension of at least 1 column",
      received: `shape [${source.shape.join(", ")}]`,
    });
  checkBound(operation, "source", "columns", columns, most);
  return columns;
}

/** Throws unless an optional parameter has a shape. */
export function checkParameter(
  operation: string,
  argument: string,
  parameter: Tensor | undefined,
  shape: readonly number[],
): void {
  if (parameter !== undefined) checkShapeIs(operation, argument, parameter, shape);
}
