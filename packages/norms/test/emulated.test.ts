import type { FloatingDtype } from "@metile/runtime";
import { compare } from "@metile/runtime/testing";
import { describe, expect, test } from "vitest";
import { addRmsNormReference } from "../src/add-rms-norm/add-rms-norm.reference.js";
import { layerNormReference } from "../src/layer-norm/layer-norm.reference.js";
import { rmsNormReference } from "../src/rms-norm/rms-norm.reference.js";
import { addUp, decode, encode, launches, numbers, output, type RowLaunch, run } from "./emulated.js";

const rows = 5;
const groups = 2;
const epsilon = 1e-5;
const offset = 0.5;

const cases = launches.flatMap((launch) =>
  (["float32", "float16", "bfloat16"] as const).map((dtype) => ({ launch, dtype, threads: launch.threads })),
);

/** Results of half types may be one value off, or as near as float32 terms that cancel. */
function close(actual: Float64Array, exact: Float64Array | undefined, dtype: FloatingDtype): void {
  const halves = dtype === "float32" ? {} : { steps: 1 };
  expect(exact).toBeDefined();
  compare(actual, exact as Float64Array, dtype, { relative: 1e-5, absolute: 2e-5, ...halves });
}

function inputs({ width }: RowLaunch, dtype: FloatingDtype) {
  const size = rows * width;
  return {
    source: numbers(1, size, dtype),
    residual: numbers(2, size, dtype),
    cotangent: numbers(3, size, dtype),
    sumCotangent: numbers(4, size, dtype),
    weight: numbers(5, width, "float32"),
    bias: numbers(6, width, "float32"),
  };
}

describe.runIf(process.platform === "linux").each(cases)(
  "$threads threads, $dtype: no report, and the float64 reference",
  ({ launch, dtype }) => {
    const { width } = launch;
    const size = rows * width;
    const { source, residual, cotangent, sumCotangent, weight, bias } = inputs(launch, dtype);
    const shared = { row_count: rows, width };
    const options = { columns: width, epsilon, offset, dtype };
    const rstd = new Float32Array(rows);

    test.concurrent("rms_norm", async () => {
      const given = { source: encode(source, dtype), weight: encode(weight, "float32") };
      const forward = await run(
        "rms_norm",
        "rms_norm_forward",
        launch,
        dtype,
        { ...given, output: output(size, dtype), rstd },
        { ...shared, source_stride: width, epsilon, offset, casting: 0 },
        groups,
      );
      close(decode(forward.output, dtype), rmsNormReference.forward({ source, weight }, options).output, dtype);
      const backward = await run(
        "rms_norm",
        "rms_norm_backward",
        launch,
        dtype,
        {
          ...given,
          cotangent: encode(cotangent, dtype),
          rstd: forward.rstd as Float32Array,
          gradient: output(size, dtype),
          parts: new Float32Array(groups * width),
        },
        { ...shared, cotangent_stride: width, source_stride: width, offset },
        groups,
      );
      const exact = rmsNormReference.backward({ source, weight }, { output: cotangent }, options);
      close(decode(backward.gradient, dtype), exact.source, dtype);
      close(await addUp(backward.parts, launch, { groups, stride: width, offset: 0 }), exact.weight, "float32");
    });

    test.concurrent("layer_norm", async () => {
      const given = { source: encode(source, dtype), weight: encode(weight, "float32") };
      const forward = await run(
        "layer_norm",
        "layer_norm_forward",
        launch,
        dtype,
        {
          ...given,
          bias: encode(bias, "float32"),
          output: output(size, dtype),
          statistics: new Float32Array(3 * rows),
        },
        { ...shared, source_stride: width, epsilon },
        groups,
      );
      close(decode(forward.output, dtype), layerNormReference.forward({ source, weight, bias }, options).output, dtype);
      const backward = await run(
        "layer_norm",
        "layer_norm_backward",
        launch,
        dtype,
        {
          ...given,
          cotangent: encode(cotangent, dtype),
          statistics: forward.statistics as Float32Array,
          gradient: output(size, dtype),
          parts: new Float32Array(2 * groups * width),
        },
        { ...shared, cotangent_stride: width, source_stride: width },
        groups,
      );
      const exact = layerNormReference.backward({ source, weight, bias }, { output: cotangent }, options);
      close(decode(backward.gradient, dtype), exact.source, dtype);
      const layout = { groups, stride: 2 * width };
      close(await addUp(backward.parts, launch, { ...layout, offset: 0 }), exact.weight, "float32");
      close(await addUp(backward.parts, launch, { ...layout, offset: width }), exact.bias, "float32");
    });

    test.concurrent("add_rms_norm", async () => {
      const given = {
        source: encode(source, dtype),
        residual: encode(residual, dtype),
        weight: encode(weight, "float32"),
      };
      const strides = { source_stride: width, residual_stride: width };
      const forward = await run(
        "add_rms_norm",
        "add_rms_norm_forward",
        launch,
        dtype,
        { ...given, sum: output(size, dtype), output: output(size, dtype), rstd },
        { ...shared, ...strides, epsilon, offset, casting: 0, rounded_sum: 0 },
        groups,
      );
      const exactly = addRmsNormReference.forward({ source, residual, weight }, options);
      close(decode(forward.output, dtype), exactly.output, dtype);
      close(decode(forward.sum, dtype), exactly.residual, dtype);
      const backward = await run(
        "add_rms_norm",
        "add_rms_norm_backward",
        launch,
        dtype,
        {
          ...given,
          cotangent: encode(cotangent, dtype),
          sum_cotangent: encode(sumCotangent, dtype),
          rstd: forward.rstd as Float32Array,
          gradient: output(size, dtype),
          residual_gradient: output(size, dtype),
          parts: new Float32Array(groups * width),
        },
        { ...shared, ...strides, cotangent_stride: width, sum_cotangent_stride: width, offset },
        groups,
      );
      const cotangents = { output: cotangent, residual: sumCotangent };
      const exact = addRmsNormReference.backward({ source, residual, weight }, cotangents, options);
      close(decode(backward.gradient, dtype), exact.source, dtype);
      close(decode(backward.residual_gradient, dtype), exact.residual, dtype);
      close(await addUp(backward.parts, launch, { groups, stride: width, offset: 0 }), exact.weight, "float32");
    });
  },
);
