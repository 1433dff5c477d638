import { type Dtype, ShapeError, type Tensor } from "@metile/runtime";
import {
  addParts,
  allocate,
  asParameter,
  asRows,
  type BackwardCall,
  type CommonOptions,
  checkBound,
  definePair,
  type ForwardCall,
  type ForwardResult,
  partialLaunch,
  rowLaunch,
  sizeOf,
} from "@metile/runtime/family";
import { kernels } from "../../generated/index.js";
import { checkColumns, checkParameter } from "../shared/arguments.js";
import { mostColumns } from "../shared/contract.js";
import { layerNormContract } from "./layer-norm.contract.js";

/** Options of {@link layerNorm}. */
export interface LayerNormOptions extends CommonOptions {
  /**
   * Added to the variance, inside the root. Above 0 and finite.
   * @default 1e-5
   */
  readonly epsilon?: number;
  /** The trailing dimensions that are normalised together; weight and bias have this shape. The last one by default. */
  readonly normalizedShape?: readonly number[];
  readonly wanted?: readonly ("source" | "weight" | "bias")[];
}

interface Complete {
  readonly epsilon: number;
  readonly normalizedShape: readonly number[] | undefined;
}

interface State {
  readonly normalizedShape: readonly number[];
  /** The type of the bias, whose gradient does not depend on its values; undefined without one. */
  readonly bias: Dtype | undefined;
}

type Input = "source" | "weight" | "bias";

/** The trailing dimensions that make a row, checked against the source. */
function rowShape(operation: string, source: Tensor, wanted: readonly number[] | undefined): readonly number[] {
  if (wanted === undefined) return [checkColumns(operation, source, mostColumns)];
  const trailing = source.shape.slice(source.rank - wanted.length);
  const fits =
    wanted.length > 0 && wanted.length <= source.rank && wanted.every((extent, axis) => trailing[axis] === extent);
  if (!fits)
    throw new ShapeError({
      operation,
      argument: "normalizedShape",
      expected: `trailing dimensions of the source's shape [${source.shape.join(", ")}]`,
      received: `[${wanted.join(", ")}]`,
    });
  checkBound(operation, "source", "elements in normalizedShape", sizeOf(wanted), mostColumns);
  return [...wanted];
}

/** Weight and bias in one type, as the kernel reads them: the second follows the first where both are there. */
function asParameters(
  source: Tensor,
  weight: Tensor | undefined,
  bias: Tensor | undefined,
): { weight?: Tensor; bias?: Tensor } {
  const scale = asParameter(weight, source.dtype);
  const shift = asParameter(bias, source.dtype);
  if (scale === undefined || shift === undefined || scale.dtype === shift.dtype)
    return { ...(scale && { weight: scale }), ...(shift && { bias: shift }) };
  return {
    weight: scale.dtype === "float32" ? scale : scale.cast("float32"),
    bias: shift.dtype === "float32" ? shift : shift.cast("float32"),
  };
}

function forward({ operation, inputs, options }: ForwardCall<Input, Complete>): ForwardResult<"output", State> {
  const source = inputs.source as Tensor;
  const normalizedShape = rowShape(operation, source, options.normalizedShape);
  checkParameter(operation, "weight", inputs.weight, normalizedShape);
  checkParameter(operation, "bias", inputs.bias, normalizedShape);
  const rows = asRows(source, normalizedShape.length);
  const parameters = asParameters(source, inputs.weight, inputs.bias);
  const output = allocate(source.device, source.shape, source.dtype);
  // Of each row: the mean, what rounding it to float32 missed, and rstd.
  const statistics = allocate(source.device, [rows.rows, 3], "float32");
  if (rows.rows > 0)
    kernels.layerNormForward(
      { source: rows, ...parameters, output, statistics },
      { rowCount: rows.rows, width: rows.columns, sourceStride: rows.stride, epsilon: options.epsilon },
      rowLaunch(rows.rows, rows.columns, [rows, parameters.weight, parameters.bias, output]),
    );
  return {
    outputs: { output },
    save: { source, weight: inputs.weight, statistics },
    state: { normalizedShape, bias: inputs.bias?.dtype },
  };
}

function backward(call: BackwardCall<Input, "output", State>): { [Name in Input]?: Tensor } {
  const { normalizedShape, bias } = call.state;
  const source = call.require("source");
  const saved = call.saved("weight");
  const rows = asRows(source, normalizedShape.length);
  const cotangent = asRows(call.cotangents.output as Tensor, normalizedShape.length);
  const weight = asParameter(saved, source.dtype);
  const empty = rows.rows === 0;
  const gradient = call.wanted.has("source")
    ? allocate(source.device, source.shape, call.gradientDtype(source.dtype))
    : undefined;
  const launch = partialLaunch(rows.rows, rows.columns, [cotangent, rows, weight, gradient]);
  const wantsSums = call.wanted.has("weight") || call.wanted.has("bias");
  const parts = wantsSums ? allocate(source.device, [launch.groups, 2, rows.columns], "float32", empty) : undefined;
  if (!empty)
    kernels.layerNormBackward(
      { cotangent, source: rows, weight, statistics: call.require("statistics"), gradient, parts },
      { rowCount: rows.rows, width: rows.columns, cotangentStride: cotangent.stride, sourceStride: rows.stride },
      launch,
    );
  const sum = (index: number, dtype: Dtype): Tensor =>
    addParts(parts as Tensor<"float32">, index, normalizedShape, call.gradientDtype(dtype));
  return {
    ...(gradient && { source: gradient }),
    ...(call.wanted.has("weight") && saved && { weight: sum(0, saved.dtype) }),
    ...(call.wanted.has("bias") && bias && { bias: sum(1, bias) }),
  };
}

/**
 * LayerNorm: `(source - mean) · rstd · weight + bias` over the trailing dimensions, with the population variance around the
 * mean, in float32 with one rounding to the source's type (Ba, Kiros and Hinton 2016).
 *
 * @param source - (…, normalizedShape), float32, float16 or bfloat16, any strides; rows of 1 to 65,536 elements
 * @param weight - of normalizedShape, any floating type; left out: 1
 * @param bias - of normalizedShape, any floating type; left out: 0
 * @param options - epsilon, normalizedShape, gradientType, wanted
 * @returns the output, of the source's shape and type. `.forward` gives `{ output, saved }`, `.backward(saved, cotangent)`
 * the gradients `{ source, weight, bias }`
 * @throws ShapeError, DtypeError, ArgumentError, LifetimeError, DeviceError for bad arguments, at the call
 * @example
 * const source = tensor([[1, -2, 4], [0.5, 3, -1]]);
 * const { output, saved } = layerNorm.forward(source, tensor([0.5, -1.5, 2]), tensor([0.1, 0.2, -0.3]), { epsilon: 0.25 });
 * output.dataSync(); // 0.1, 2, 2.1, 0.003326351, -1.685136, -2.42682
 */
export const layerNorm = definePair<
  [
    source: Tensor,
    weight?: Tensor | null | LayerNormOptions,
    bias?: Tensor | null | LayerNormOptions,
    options?: LayerNormOptions,
  ],
  "output",
  Input,
  Complete,
  State
>({ contract: layerNormContract, forward, backward });
