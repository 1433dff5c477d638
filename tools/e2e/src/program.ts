/**
 * What a user writes first: RMSNorm forward and backward of two rows, with a weight. It prints one JSON object.
 *
 * Both packages are imported before the device is touched, so that a failure says which step failed.
 */
export const program = `
import { device, tensor } from "@metile/runtime";
import { rmsNorm } from "@metile/norms";

const source = tensor([3, 4, 1, -7], [2, 2]);
const weight = tensor([2, 0.5], [2]);
const { output, saved } = rmsNorm.forward(source, weight, { epsilon: 0.001 });
const gradients = rmsNorm.backward(saved, tensor([1, 0, 0, 1], [2, 2]));
console.log(JSON.stringify({
  device: device().name,
  output: [...(await output.data())],
  source: [...(await gradients.source.data())],
  weight: [...(await gradients.weight.data())],
}));
`;

/** Imports, and then uses a device: for machines where the second fails. It prints what the failure says. */
export const importThenUse = `
import { tensor } from "@metile/runtime";
import { rmsNorm } from "@metile/norms";

console.log("imported " + typeof rmsNorm.forward);
try {
  rmsNorm(tensor([1, 2], [1, 2]));
} catch (error) {
  console.log(error.name + "\\n" + error.message);
}
`;

const rows = [
  [3, 4],
  [1, -7],
] as const;
const weights = [2, 0.5] as const;

/**
 * The same result in float64: y = w x / r with r = sqrt(mean(x²) + epsilon), and for a cotangent g
 * dx = (w g - x (Σ w g x) / (columns r²)) / r, dw = Σ rows g x / r.
 */
export function expectedResult(): { output: number[]; source: number[]; weight: number[] } {
  const output: number[] = [];
  const source: number[] = [];
  const weight = [0, 0];
  for (const [index, row] of rows.entries()) {
    const root = Math.sqrt((row[0] ** 2 + row[1] ** 2) / 2 + 0.001);
    const cotangent = [index === 0 ? 1 : 0, index === 1 ? 1 : 0] as const;
    const weighted = [weights[0] * cotangent[0], weights[1] * cotangent[1]] as const;
    const along = (weighted[0] * row[0] + weighted[1] * row[1]) / (2 * root ** 2);
    for (const column of [0, 1] as const) {
      output.push((weights[column] * row[column]) / root);
      source.push((weighted[column] - row[column] * along) / root);
      weight[column] = (weight[column] ?? 0) + (cotangent[column] * row[column]) / root;
    }
  }
  return { output, source, weight };
}
