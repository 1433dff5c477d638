import { layerNorm as pair } from "@metile/norms";
import { bytesOf, gradientBytes } from "../measure/case.js";
import { makeInputs } from "./fill.js";
import { input, type Operation, summed } from "./operation.js";

/** LayerNorm with weight and bias. */
export const layerNorm: Operation = {
  name: "layerNorm",
  bytes: summed((half, shape) => {
    const { rows, columns, dtype } = shape;
    const one = bytesOf(dtype);
    const statistics = 8 * rows;
    if (half === "forward") return rows * columns * 2 * one + 2 * columns * one + statistics;
    // Source and cotangent in, the source's gradient out; the weight in, its gradient and the bias's out.
    return rows * columns * (2 * one + gradientBytes(shape)) + columns * (one + 2 * gradientBytes(shape)) + statistics;
  }),
  make: (shape, fill, device) =>
    makeInputs({ rows: ["source", "cotangent"], parameters: ["weight", "bias"] }, shape, fill, device),
  forward(inputs, { gradientType }) {
    const { output, saved } = pair.forward(input(inputs, "source"), input(inputs, "weight"), input(inputs, "bias"), {
      gradientType,
    });
    return { outputs: { output }, saved, backward: () => pair.backward(saved, input(inputs, "cotangent")) };
  },
};
