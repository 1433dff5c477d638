import type { Tensor } from "@metile/runtime";
import {
  addParts,
  allocate,
  asParameter,
  asRows,
  type BackwardCall,
  type CommonOptions,
  definePair,
  type ForwardCall,
  type ForwardResult,
  partialLaunch,
  rowLaunch,
} from "@metile/runtime/family";
import { kernels } from "../../generated/index.js";
import { type Casting, castingCode, checkColumns, checkParameter } from "../shared/arguments.js";
import { mostColumns } from "../shared/contract.js";
import { rmsNormContract } from "./rms-norm.contract.js";

/** Options of {@link rmsNorm}. */
export interface RmsNormOptions extends CommonOptions {
  /**
   * Added to the mean square, inside the root. Above 0 and finite.
   * @default 1e-5
   */
  readonly epsilon?: number;
  /**
   * Added to the weight, in float32: 1 for Gemma, whose weights are stored around 0.
   * @default 0
   */
  readonly offset?: number;
  /**
   * Where values are rounded to the source's type: "gemma" once, at the end; "llama" also `source · rstd`, before the
   * weight, as Hugging Face's Llama does. No difference in float32.
   * @default "gemma"
   */
  readonly casting?: Casting;
  readonly wanted?: readonly ("source" | "weight")[];
}

interface Complete {
  readonly epsilon: number;
  readonly offset: number;
  readonly casting: Casting;
}

interface State {
  readonly offset: number;
}

function forward({
  operation,
  inputs,
  options,
}: ForwardCall<"source" | "weight", Complete>): ForwardResult<"output", State> {
  const source = inputs.source as Tensor;
  const columns = checkColumns(operation, source, mostColumns);
  checkParameter(operation, "weight", inputs.weight, [columns]);
  const rows = asRows(source);
  const weight = asParameter(inputs.weight, source.dtype);
  const output = allocate(source.device, source.shape, source.dtype);
  const rstd = allocate(source.device, [rows.rows], "float32");
  if (rows.rows > 0)
    kernels.rmsNormForward(
      { source: rows, weight, output, rstd },
      {
        rowCount: rows.rows,
        width: columns,
        sourceStride: rows.stride,
        epsilon: options.epsilon,
        offset: options.offset,
        casting: castingCode(options.casting),
      },
      rowLaunch(rows.rows, columns, [rows, weight, output]),
    );
  return { outputs: { output }, save: { source, weight: inputs.weight, rstd }, state: { offset: options.offset } };
}

function backward(call: BackwardCall<"source" | "weight", "output", State>): { source?: Tensor; weight?: Tensor } {
  const source = call.require("source");
  const saved = call.saved("weight");
  const columns = source.shape[source.rank - 1] as number;
  const cotangent = asRows(call.cotangents.output as Tensor);
  const rows = asRows(source);
  const weight = asParameter(saved, source.dtype);
  const gradient = call.wanted.has("source")
    ? allocate(source.device, source.shape, call.gradientDtype(source.dtype))
    : undefined;
  const launch = partialLaunch(rows.rows, columns, [cotangent, rows, weight, gradient]);
  const parts = call.wanted.has("weight")
    ? allocate(source.device, [launch.groups, 1, columns], "float32", rows.rows === 0)
    : undefined;
  if (rows.rows > 0)
    kernels.rmsNormBackward(
      { cotangent, source: rows, weight, rstd: call.require("rstd"), gradient, parts },
      {
        rowCount: rows.rows,
        width: columns,
        cotangentStride: cotangent.stride,
        sourceStride: rows.stride,
        offset: call.state.offset,
      },
      launch,
    );
  return {
    ...(gradient && { source: gradient }),
    ...(parts && saved && { weight: addParts(parts, 0, saved.shape, call.gradientDtype(saved.dtype)) }),
  };
}

/**
 * RMSNorm: `source · rstd · (offset + weight)` with `rstd = 1 / sqrt(mean(source²) + epsilon)` over the last dimension,
 * in float32 with one rounding to the source's type (Zhang and Sennrich 2019).
 *
 * @param source - (…, columns), float32, float16 or bfloat16, any strides; 1 to 65,536 columns, any number of rows
 * @param weight - (columns), any floating type; left out: 1
 * @param options - epsilon, offset, casting, gradientType, wanted
 * @returns the output, of the source's shape and type. `.forward` gives `{ output, saved }`, `.backward(saved, cotangent)`
 * the gradients `{ source, weight }`
 * @throws ShapeError, DtypeError, ArgumentError, LifetimeError, DeviceError for bad arguments, at the call
 * @example
 * const source = tensor([[1, -2], [3, 0.5]]);
 * const weight = tensor([0.5, -1.5]);
 * const { output, saved } = rmsNorm.forward(source, weight, { epsilon: 0.25 });
 * output.dataSync(); // 0.3015113, 1.809068, 0.6793662, -0.3396831
 * const gradients = rmsNorm.backward(saved, tensor([[0.4, -0.3], [1, 0.2]]));
 * gradients.weight.dataSync(); // 1.599942, 0.4071047
 */
export const rmsNorm = definePair<
  [source: Tensor, weight?: Tensor | null | RmsNormOptions, options?: RmsNormOptions],
  "output",
  "source" | "weight",
  Complete,
  State
>({ contract: rmsNormContract, forward, backward });
