/** Hashes all results of the norms on fixed values; run in processes of its own by repeat.test.ts. */
import { addRmsNorm, layerNorm, rmsNorm } from "@metile/norms";
import { tensor } from "@metile/runtime";
import { hashOfElements, Random } from "@metile/runtime/testing";

const [rows, columns] = [257, 1000];
const random = new Random(29);
const values = () => Float32Array.from(random.normal(rows * columns));
const [first, second] = [values(), values()];
const weight = tensor(random.normal(columns));

const inputs = ["float32", "float16", "bfloat16"].map((dtype) => {
  const [source, other] = [first, second].map((item) => tensor(item, [rows, columns], dtype));
  return { dtype, source, other };
});

/** Hashes by operation and type. */
export function hashes() {
  const result = {};
  const run = (name, pair, call, cotangents) => {
    const { saved, ...outputs } = pair.forward(...call);
    const all = [...Object.values(outputs), ...Object.values(pair.backward(saved, cotangents))];
    result[name] = hashOfElements(...all);
    for (const item of [saved, ...all]) item.dispose();
  };
  for (const { dtype, source, other } of inputs) {
    run(`rmsNorm ${dtype}`, rmsNorm, [source, weight], other);
    run(`layerNorm ${dtype}`, layerNorm, [source, weight, weight], other);
    run(`addRmsNorm ${dtype}`, addRmsNorm, [source, other, weight], { output: other, residual: source });
  }
  return result;
}

if (process.argv[2] === "print") console.log(JSON.stringify(hashes()));
