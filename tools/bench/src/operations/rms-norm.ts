import { rmsNorm as pair } from "@metile/norms";
import { bytesOf, gradientBytes } from "../measure/case.js";
import { makeInputs } from "./fill.js";
import { input, type Operation, summed } from "./operation.js";

/** RMSNorm with a weight; with separate rounding the values are those of Hugging Face's Llama. */
export const rmsNorm: Operation = {
  name: "rmsNorm",
  bytes: summed((half, shape) => {
    const { rows, columns, dtype } = shape;
    const one = bytesOf(dtype);
    const statistics = 4 * rows;
    if (half === "forward") return rows * columns * 2 * one + columns * one + statistics;
    // Source and cotangent in, the source's gradient out; the weight in, its gradient out.
    return rows * columns * (2 * one + gradientBytes(shape)) + columns * (one + gradientBytes(shape)) + statistics;
  }),
  make: (shape, fill, device) =>
    makeInputs({ rows: ["source", "cotangent"], parameters: ["weight"] }, shape, fill, device),
  forward(inputs, { gradientType, rounding }) {
    const { output, saved } = pair.forward(input(inputs, "source"), input(inputs, "weight"), {
      casting: rounding === "once" ? "gemma" : "llama",
      gradientType,
    });
    return { outputs: { output }, saved, backward: () => pair.backward(saved, input(inputs, "cotangent")) };
  },
};
