import { describe, expect, it } from "vitest";
import { device, tensor, zeros } from "../../src/index.js";

describe("a tensor's geometry, which kernels trust with memory", () => {
  it("cannot be changed: shape, strides, type, offset and size", () => {
    using made = tensor([
      [1, 2],
      [3, 4],
    ]);
    const loose = made as unknown as Record<string, unknown>;
    expect(() => (made.shape as number[]).pop()).toThrow(TypeError);
    expect(() => (made.shape as number[]).reverse()).toThrow(TypeError);
    expect(() => {
      (made.strides as number[])[0] = 1000;
    }).toThrow(TypeError);
    for (const name of ["shape", "strides", "dtype", "offset", "size"])
      expect(() => {
        loose[name] = 7;
      }, name).toThrow(TypeError);
    expect(Array.from(made.dataSync())).toEqual([1, 2, 3, 4]);
  });

  it("does not freeze what the caller passed, nor follow it", () => {
    const shape = [1, 4];
    using made = zeros(shape);
    using seen = made.asStrided(shape, [4, 1]);
    shape.push(9);
    expect(made.shape).toEqual([1, 4]);
    expect(seen.shape).toEqual([1, 4]);
  });
});

it("a device may be named by its name", () => {
  using made = tensor([1, 2], null, "float32", "cpu");
  expect(made.device).toBe(device("cpu"));
  expect(() => zeros([1], "float32", 5 as never)).toThrowErrorMatchingInlineSnapshot(
    `[ArgumentError: zeros: device: expected a device or its name, received 5.]`,
  );
});
