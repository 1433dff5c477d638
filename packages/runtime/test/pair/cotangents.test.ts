import { describe, expect, it } from "vitest";
import {
  ArgumentError,
  DeviceError,
  DtypeError,
  LifetimeError,
  ones,
  ShapeError,
  tensor,
  zeros,
} from "../../src/index.js";
import { fakeGpu } from "../support/gpu.js";
import { balanced } from "../support/memory.js";
import { repeat, swap } from "../support/pairs.js";
import { thrown } from "../support/thrown.js";

const source = tensor([1, 2, 3]);
const second = tensor([4, 5, 6], null, "bfloat16");

describe("backward refuses", () => {
  const { saved } = repeat.forward(source);
  const both = swap.forward(source, second).saved;
  const message = (kind: new (...facts: never[]) => Error, run: () => unknown): string =>
    balanced(() => {
      const error = thrown(run);
      expect(error).toBeInstanceOf(kind);
      return error.message;
    });
  const backward = repeat.backward as unknown as (...parameters: unknown[]) => unknown;

  it("a cotangent of another shape or type", () => {
    using flat = ones([6]);
    using half = ones([2, 3], "bfloat16");
    expect(message(ShapeError, () => repeat.backward(saved, flat))).toMatchInlineSnapshot(
      `"repeat: cotangent: expected shape [2, 3], received [6]."`,
    );
    expect(message(DtypeError, () => repeat.backward(saved, half))).toMatchInlineSnapshot(
      `"repeat: cotangent: expected float32, received bfloat16. Convert it with tensor.cast(dtype)."`,
    );
    expect(message(DtypeError, () => repeat.backward(saved, { output: half }))).toMatchInlineSnapshot(
      `"repeat: cotangents.output: expected float32, received bfloat16. Convert it with tensor.cast(dtype)."`,
    );
  });

  it("a cotangent of the output's half type is fine, of the other half type not", () => {
    const { saved: halves } = repeat.forward(second);
    expect(repeat.backward(halves, ones([2, 3], "bfloat16")).source.dtype).toBe("float32");
    expect(repeat.backward(halves, ones([2, 3], "float32")).source.dtype).toBe("float32");
    expect(thrown(() => repeat.backward(halves, ones([2, 3], "float16"))).message).toMatchInlineSnapshot(
      `"repeat: cotangent: expected bfloat16 or float32, received float16. Convert it with tensor.cast(dtype)."`,
    );
  });

  it("a cotangent on another device, before anything is launched", () => {
    using elsewhere = zeros([2, 3], "float32", fakeGpu().device);
    const { device } = source;
    expect(message(DeviceError, () => repeat.backward(saved, elsewhere))).toBe(
      `repeat: cotangent: expected a tensor on ${device.name}, where the forward pass ran, received one on metal. Move it with tensor.to(device).`,
    );
    expect(message(DeviceError, () => repeat.backward(saved, { output: elsewhere }))).toContain("cotangents.output");
  });

  it("cotangents that are none", () => {
    expect(message(ArgumentError, () => backward(saved, undefined))).toMatchInlineSnapshot(
      `"repeat: cotangents: expected a tensor, or an object with any of output, received undefined."`,
    );
    expect(message(ArgumentError, () => backward(saved, new Float32Array(6)))).toMatchInlineSnapshot(
      `"repeat: cotangents: expected a tensor, or an object with any of output, received a Float32Array."`,
    );
    expect(message(ArgumentError, () => backward(saved, {}))).toMatchInlineSnapshot(
      `"repeat: cotangents: expected a cotangent for at least one of output, received none."`,
    );
    expect(message(ArgumentError, () => backward(saved, { output: null }))).toMatchInlineSnapshot(
      `"repeat: cotangents: expected a cotangent for at least one of output, received none."`,
    );
    expect(message(ArgumentError, () => backward(saved, { outputs: source }))).toMatchInlineSnapshot(
      `"repeat: cotangents: expected output, received "outputs"."`,
    );
    expect(message(ArgumentError, () => backward(saved, { toString: source }))).toMatch(/"toString"/);
  });

  it("one tensor where there are several outputs", () => {
    expect(message(ArgumentError, () => swap.backward(both, source))).toMatchInlineSnapshot(
      `"swap: cotangents: expected an object with any of left, right, since there are several outputs, received a tensor."`,
    );
  });

  it("what another pair saved, or nobody", () => {
    expect(message(ArgumentError, () => repeat.backward(both, source))).toMatchInlineSnapshot(
      `"repeat: saved: expected what repeat.forward saved, received what swap.forward saved."`,
    );
    expect(message(ArgumentError, () => backward({}, source))).toMatchInlineSnapshot(
      `"repeat: saved: expected what repeat.forward saved, received an object."`,
    );
    expect(message(ArgumentError, () => backward(undefined, source))).toMatchInlineSnapshot(
      `"repeat: saved: expected what repeat.forward saved, received undefined."`,
    );
  });

  it("options that it does not have", () => {
    using cotangent = ones([2, 3]);
    expect(message(ArgumentError, () => backward(saved, cotangent, { wantd: ["source"] }))).toMatchInlineSnapshot(
      `"repeat: options: expected wanted, gradientType, received "wantd"."`,
    );
    expect(message(ArgumentError, () => backward(saved, cotangent, { wanted: "source" }))).toMatchInlineSnapshot(
      `"repeat: wanted: expected a list of names of inputs, received "source"."`,
    );
  });

  it("a disposed cotangent", () => {
    const gone = ones([2, 3]);
    gone.dispose();
    expect(message(LifetimeError, () => repeat.backward(saved, gone))).toMatchInlineSnapshot(
      `"repeat: cotangent: expected a live tensor, received one that was disposed of."`,
    );
  });
});
