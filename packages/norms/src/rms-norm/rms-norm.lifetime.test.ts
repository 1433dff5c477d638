import { tensor } from "@metile/runtime";
import { failNextLaunch } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { refusal } from "../../test/refusal.js";
import { layerNorm, rmsNorm } from "../index.js";

const source = tensor([
  [1, 2, 3],
  [4, 5, 6],
]);
const weight = tensor([1, 2, 3]);

describe("lifetimes", () => {
  it("R32: tensors and saved values that were disposed of", () => {
    const [gone, given] = [tensor([[1, 2, 3]]), tensor([[1, 2, 3]])];
    const { saved } = rmsNorm.forward(given);
    gone.dispose();
    expect(refusal(() => rmsNorm(gone))).toMatchInlineSnapshot(
      `"LifetimeError (TypeError): rmsNorm: source: expected a live tensor, received one that was disposed of."`,
    );
    expect(refusal(() => rmsNorm(given, gone))).toMatchInlineSnapshot(
      `"LifetimeError (TypeError): rmsNorm: weight: expected a live tensor, received one that was disposed of."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, gone))).toMatchInlineSnapshot(
      `"LifetimeError (TypeError): rmsNorm: cotangent: expected a live tensor, received one that was disposed of."`,
    );
    saved.dispose();
    expect(refusal(() => rmsNorm.backward(saved, given))).toMatchInlineSnapshot(
      `"LifetimeError (TypeError): rmsNorm: saved: expected live saved values, received disposed ones."`,
    );
  });

  it("something saved that was written to", () => {
    const [x, w, cotangent] = [tensor([[1, 2, 3]]), tensor([1, 1, 1]), tensor([[1, 2, 3]])];
    const first = rmsNorm.forward(x, w).saved;
    x.write([[4, 5, 6]]);
    expect(refusal(() => rmsNorm.backward(first, cotangent))).toMatchInlineSnapshot(
      `"LifetimeError (TypeError): rmsNorm: saved: expected "source" as the forward pass left it, received a tensor that was written to since. Run backward before writing to it, or run forward on a clone."`,
    );
    const second = rmsNorm.forward(x, w).saved;
    w.write([4, 5, 6]);
    expect(refusal(() => rmsNorm.backward(second, cotangent))).toMatchInlineSnapshot(
      `"LifetimeError (TypeError): rmsNorm: saved: expected "weight" as the forward pass left it, received a tensor that was written to since. Run backward before writing to it, or run forward on a clone."`,
    );
  });

  it("what is no saved value, or another operation's", () => {
    const { saved } = layerNorm.forward(source);
    expect(refusal(() => rmsNorm.backward(saved as never, source))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: saved: expected what rmsNorm.forward saved, received what layerNorm.forward saved."`,
    );
    expect(refusal(() => rmsNorm.backward({} as never, source))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: saved: expected what rmsNorm.forward saved, received an object."`,
    );
  });

  it("cotangents that are none", () => {
    const { saved } = rmsNorm.forward(source);
    expect(refusal(() => rmsNorm.backward(saved, undefined as never))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: cotangents: expected a tensor, or an object with any of output, received undefined."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, {}))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: cotangents: expected a cotangent for at least one of output, received none."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, { result: source } as never))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: cotangents: expected output, received "result"."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, new Float32Array(6) as never))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: cotangents: expected a tensor, or an object with any of output, received a Float32Array."`,
    );
  });
});

it("R33: a failure on the device rejects what depends on it, by name, and nothing else", async () => {
  failNextLaunch("lost");
  const { output, saved } = rmsNorm.forward(source, weight);
  const gradients = rmsNorm.backward(
    saved,
    tensor([
      [1, 1, 1],
      [1, 1, 1],
    ]),
  );
  await expect(output.data()).rejects.toThrow("rmsNorm: received a failure on the device: lost");
  await expect(gradients.source.data()).rejects.toMatchObject({ name: "FaultError", operation: "rmsNorm" });
  expect((await rmsNorm(source, weight).data())[0]).toBeCloseTo(0.4629, 3);
});
