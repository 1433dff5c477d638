import { addRmsNorm as pair } from "@metile/norms";
import { bytesOf, gradientBytes } from "../measure/case.js";
import { makeInputs } from "./fill.js";
import { input, type Operation, summed } from "./operation.js";

/**
 * Residual addition and RMSNorm in one; with separate rounding the values are those of an addition followed by Hugging
 * Face's Llama norm.
 */
export const addRmsNorm: Operation = {
  name: "addRmsNorm",
  bytes: summed((half, shape) => {
    const { rows, columns, dtype, rounding } = shape;
    const one = bytesOf(dtype);
    const statistics = 4 * rows;
    if (half === "forward") return rows * columns * 4 * one + columns * one + statistics;
    // The exact sum, or its two addends where the sum was rounded, and both cotangents in; the gradients of source and
    // residual out; the weight in, its gradient out.
    const read = dtype === "float32" || rounding === "separate" ? 3 : 4;
    return (
      rows * columns * (read * one + 2 * gradientBytes(shape)) + columns * (one + gradientBytes(shape)) + statistics
    );
  }),
  make: (shape, fill, device) =>
    makeInputs(
      { rows: ["source", "residual", "cotangent", "residualCotangent"], parameters: ["weight"] },
      shape,
      fill,
      device,
    ),
  forward(inputs, { gradientType, rounding }) {
    const once = rounding === "once";
    const options = { casting: once ? "gemma" : "llama", sum: once ? "native" : "rounded", gradientType } as const;
    const { output, residual, saved } = pair.forward(
      input(inputs, "source"),
      input(inputs, "residual"),
      input(inputs, "weight"),
      options,
    );
    const cotangents = { output: input(inputs, "cotangent"), residual: input(inputs, "residualCotangent") };
    return { outputs: { output, residual }, saved, backward: () => pair.backward(saved, cotangents) };
  },
};
