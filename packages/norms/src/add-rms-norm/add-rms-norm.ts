import { DtypeError, type Tensor } from "@metile/runtime";
import {
  addParts,
  allocate,
  asParameter,
  asRows,
  type BackwardCall,
  type CommonOptions,
  checkShapeIs,
  definePair,
  type ForwardCall,
  type ForwardResult,
  partialLaunch,
  rowLaunch,
} from "@metile/runtime/family";
import { kernels } from "../../generated/index.js";
import { type Casting, castingCode, checkColumns, checkParameter } from "../shared/arguments.js";
import { mostColumns } from "../shared/contract.js";
import { addRmsNormContract } from "./add-rms-norm.contract.js";

/** Options of {@link addRmsNorm}. */
export interface AddRmsNormOptions extends CommonOptions {
  /**
   * Added to the mean square, inside the root. Above 0 and finite.
   * @default 1e-5
   */
  readonly epsilon?: number;
  /**
   * Added to the weight, in float32: 1 for Gemma.
   * @default 0
   */
  readonly offset?: number;
  /**
   * Where values are rounded to the source's type, as in rmsNorm.
   * @default "gemma"
   */
  readonly casting?: Casting;
  /**
   * What is normalised: "native" the sum in float32; "rounded" the sum as the residual output holds it, which is what an
   * unfused addition followed by rmsNorm computes. No difference in float32.
   * @default "native"
   */
  readonly sum?: "native" | "rounded";
  readonly wanted?: readonly Input[];
}

type Input = "source" | "residual" | "weight";
type Output = "output" | "residual";

interface Complete {
  readonly epsilon: number;
  readonly offset: number;
  readonly casting: Casting;
  readonly sum: "native" | "rounded";
}

interface State {
  readonly offset: number;
}

function forward({ operation, inputs, options }: ForwardCall<Input, Complete>): ForwardResult<Output, State> {
  const source = inputs.source as Tensor;
  const residual = inputs.residual as Tensor;
  const columns = checkColumns(operation, source, mostColumns);
  checkShapeIs(operation, "residual", residual, source.shape);
  if (residual.dtype !== source.dtype)
    throw new DtypeError({
      operation,
      argument: "residual",
      expected: `the source's type, ${source.dtype}`,
      received: residual.dtype,
      hint: "Convert one of them with tensor.cast(dtype).",
    });
  checkParameter(operation, "weight", inputs.weight, [columns]);
  const sourceRows = asRows(source);
  const residualRows = asRows(residual);
  const rows = sourceRows.rows;
  const weight = asParameter(inputs.weight, source.dtype);
  const output = allocate(source.device, source.shape, source.dtype);
  const sum = allocate(source.device, source.shape, source.dtype);
  const rstd = allocate(source.device, [rows], "float32");
  if (rows > 0)
    kernels.addRmsNormForward(
      { source: sourceRows, residual: residualRows, weight, output, sum, rstd },
      {
        rowCount: rows,
        width: columns,
        sourceStride: sourceRows.stride,
        residualStride: residualRows.stride,
        epsilon: options.epsilon,
        offset: options.offset,
        casting: castingCode(options.casting),
        roundedSum: options.sum === "rounded" ? 1 : 0,
      },
      rowLaunch(rows, columns, [sourceRows, residualRows, weight, output, sum]),
    );
  // Where the residual output holds the very sum that was normalised it is all that backward needs. Otherwise the two
  // addends are kept, which the caller holds anyway, rather than a float32 copy of their sum.
  const exact = source.dtype === "float32" || options.sum === "rounded";
  return {
    outputs: { output, residual: sum },
    save: { ...(exact ? { "residual output": sum } : { source, residual }), weight: inputs.weight, rstd },
    state: { offset: options.offset },
  };
}

function backward(call: BackwardCall<Input, Output, State>): { [Name in Input]?: Tensor } {
  const source = call.saved("residual output") ?? call.require("source");
  const addend = call.saved("residual");
  const saved = call.saved("weight");
  const columns = source.shape[source.rank - 1] as number;
  const sourceRows = asRows(source);
  const residualRows = addend && asRows(addend);
  const { rows } = sourceRows;
  const dtype = call.gradientDtype(source.dtype);
  const { output, residual } = sameType(call.cotangents.output, call.cotangents.residual);
  const cotangent = output && asRows(output);
  const sumCotangent = residual && asRows(residual);
  const wants = (name: Input): Tensor | undefined =>
    call.wanted.has(name) ? allocate(source.device, source.shape, dtype) : undefined;
  const gradient = wants("source");
  const residualGradient = wants("residual"); // equal to the other, but a caller may write to either
  const weight = asParameter(saved, source.dtype);
  const operands = [cotangent, sumCotangent, sourceRows, residualRows, weight, gradient, residualGradient];
  const launch = partialLaunch(rows, columns, operands);
  const parts = call.wanted.has("weight")
    ? allocate(source.device, [launch.groups, 1, columns], "float32", rows === 0)
    : undefined;
  if (rows > 0)
    kernels.addRmsNormBackward(
      {
        cotangent,
        sumCotangent,
        source: sourceRows,
        residual: residualRows,
        weight,
        rstd: call.require("rstd"),
        gradient,
        residualGradient,
        parts,
      },
      {
        rowCount: rows,
        width: columns,
        cotangentStride: cotangent?.stride ?? 0,
        sumCotangentStride: sumCotangent?.stride ?? 0,
        sourceStride: sourceRows.stride,
        residualStride: residualRows?.stride ?? 0,
        offset: call.state.offset,
      },
      launch,
    );
  return {
    ...(gradient && { source: gradient }),
    ...(residualGradient && { residual: residualGradient }),
    ...(parts && saved && { weight: addParts(parts, 0, saved.shape, call.gradientDtype(saved.dtype)) }),
  };
}

/** Cotangents in one type, as the kernel reads them. */
function sameType(output: Tensor | undefined, residual: Tensor | undefined): { output?: Tensor; residual?: Tensor } {
  const differ = output !== undefined && residual !== undefined && output.dtype !== residual.dtype;
  const widen = (tensor: Tensor): Tensor => (differ && tensor.dtype !== "float32" ? tensor.cast("float32") : tensor);
  return { ...(output && { output: widen(output) }), ...(residual && { residual: widen(residual) }) };
}

/**
 * Residual addition and RMSNorm in one: `residual' = source + residual` and `output = residual' · rstd · (offset + weight)`
 * with `rstd = 1 / sqrt(mean(residual'²) + epsilon)` over the last dimension, in float32.
 *
 * @param source - (…, columns), float32, float16 or bfloat16, any strides; 1 to 65,536 columns, any number of rows
 * @param residual - of the source's shape and type
 * @param weight - (columns), any floating type; left out: 1
 * @param options - epsilon, offset, casting, sum, gradientType, wanted
 * @returns `{ output, residual }`, both of the source's shape and type. `.forward` adds `saved`;
 * `.backward(saved, { output, residual })` gives `{ source, residual, weight }`: a cotangent left out is zero
 * @throws ShapeError, DtypeError, ArgumentError, LifetimeError, DeviceError for bad arguments, at the call
 * @example
 * const source = tensor([[1, -2], [3, 0.5]]);
 * const stream = tensor([[0.5, 1.25], [-1, 2]]);
 * const { output, residual, saved } = addRmsNorm.forward(source, stream, tensor([0.5, -1.5]), { epsilon: 0.25 });
 * residual.dataSync(); // 1.5, -0.75, 2, 2.5
 * const ones = tensor([[1, 1], [1, 1]]);
 * const gradients = addRmsNorm.backward(saved, { output: ones, residual: ones });
 */
export const addRmsNorm = definePair<
  [source: Tensor, residual: Tensor, weight?: Tensor | null | AddRmsNormOptions, options?: AddRmsNormOptions],
  Output,
  Input,
  Complete,
  State
>({ contract: addRmsNormContract, forward, backward });
