import { expect, it } from "vitest";
import { rmsNorm } from "./rms-norm.js";

it("the contract cannot be changed, and so neither can what the operation does", () => {
  const epsilon = rmsNorm.contract.options.epsilon as { default: number };
  expect(() => {
    epsilon.default = 5;
  }).toThrow(TypeError);
  expect(rmsNorm.contract.options.epsilon?.default).toBe(1e-5);
});

it("a proxy of a tensor is refused by name", async () => {
  const { tensor } = await import("@metile/runtime");
  const source = new Proxy(tensor([[1, 2]]), {});
  expect(() => rmsNorm(source)).toThrowErrorMatchingInlineSnapshot(
    `[ArgumentError: rmsNorm: source: expected a tensor, received a proxy or copy of one. Pass the tensor itself (in Vue: markRaw or toRaw).]`,
  );
});
