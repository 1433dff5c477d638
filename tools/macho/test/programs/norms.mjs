// rmsNorm, layerNorm and addRmsNorm forward and backward in all types, against float64.
import { addRmsNorm, layerNorm, rmsNorm } from "@metile/norms";
import { device, tensor } from "@metile/runtime";
import * as reference from "./references.mjs";
import { distance, random } from "./values.mjs";

const rows = 13;
const width = 96;
const epsilon = 1e-5;
const shape = [rows, width];
const results = [];

/** A tensor and the values that it holds after rounding to its type. */
async function make(values, dims, dtype) {
  const made = tensor(values, dims, dtype);
  return { tensor: made, values: Array.from(await made.data()) };
}

async function compare(name, found, expected) {
  results.push({ name, distance: distance(await found.data(), expected) });
}

for (const dtype of ["float32", "float16", "bfloat16"]) {
  const source = await make(random(rows * width, 1), shape, dtype);
  const residual = await make(random(rows * width, 2), shape, dtype);
  const weight = await make(random(width, 3), [width], dtype);
  const bias = await make(random(width, 4), [width], dtype);
  const cotangent = await make(random(rows * width, 5), shape, dtype);
  {
    const expected = reference.rmsNorm(source.values, weight.values, cotangent.values, width, epsilon);
    const { output, saved } = rmsNorm.forward(source.tensor, weight.tensor, { epsilon });
    const gradients = rmsNorm.backward(saved, cotangent.tensor);
    await compare(`rmsNorm ${dtype} output`, output, expected.output);
    for (const name of ["source", "weight"])
      await compare(`rmsNorm ${dtype} d${name}`, gradients[name], expected[name]);
  }
  {
    const expected = reference.layerNorm(source.values, weight.values, bias.values, cotangent.values, width, epsilon);
    const { output, saved } = layerNorm.forward(source.tensor, weight.tensor, bias.tensor, { epsilon });
    const gradients = layerNorm.backward(saved, cotangent.tensor);
    await compare(`layerNorm ${dtype} output`, output, expected.output);
    for (const name of ["source", "weight", "bias"]) {
      await compare(`layerNorm ${dtype} d${name}`, gradients[name], expected[name]);
    }
  }
  {
    const sum = source.values.map((value, index) => value + residual.values[index]);
    const expected = reference.rmsNorm(sum, weight.values, cotangent.values, width, epsilon);
    const { output, saved } = addRmsNorm.forward(source.tensor, residual.tensor, weight.tensor, { epsilon });
    const gradients = addRmsNorm.backward(saved, { output: cotangent.tensor });
    await compare(`addRmsNorm ${dtype} output`, output, expected.output);
    await compare(`addRmsNorm ${dtype} dsource`, gradients.source, expected.source);
    await compare(`addRmsNorm ${dtype} dweight`, gradients.weight, expected.weight);
  }
}
console.log(JSON.stringify({ device: device().name, platform: process.platform, arch: process.arch, results }));
