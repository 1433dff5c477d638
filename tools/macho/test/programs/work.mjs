// Some training steps of a norm, and a number that tells their bits.
import { createHash } from "node:crypto";
import { rmsNorm } from "@metile/norms";
import { tensor } from "@metile/runtime";
import { random } from "./values.mjs";

export async function train(steps, seed) {
  const shape = [64, 256];
  const digest = createHash("sha256");
  for (let step = 0; step < steps; step++) {
    const source = tensor(random(64 * 256, seed + step), shape);
    const weight = tensor(random(256, 7), [256]);
    const { output, saved } = rmsNorm.forward(source, weight);
    const gradients = rmsNorm.backward(saved, output);
    digest.update(new Uint8Array((await gradients.source.data()).buffer));
    digest.update(new Uint8Array((await gradients.weight.data()).buffer));
    for (const value of [source, weight, output, gradients.source, gradients.weight]) value.dispose();
  }
  return digest.digest("hex");
}
