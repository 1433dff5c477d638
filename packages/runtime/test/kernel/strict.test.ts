import { afterAll, describe, expect, it } from "vitest";
import { compileKernels, device, tensor, zeros } from "../../src/index.js";

const text = `#include <metal_stdlib>
using namespace metal;
kernel void add_bias(device const float* source [[buffer(0)]], device const float* bias [[buffer(1)]],
                     device float* target [[buffer(2)]], constant uint& count [[buffer(3)]],
                     constant uint& has_bias [[buffer(4)]], uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  target[index] = source[index] + (has_bias ? bias[index] : 0.0f);
}`;
const addBias = compileKernels(text).addBias as NonNullable<ReturnType<typeof compileKernels>["x"]>;
const source = tensor([
  [1, 2],
  [3, 4],
]);
const target = zeros([4]);
afterAll(() => {
  source.dispose();
  target.dispose();
});

function refusal(buffers: unknown, constants: unknown = { count: 4 }, shape: unknown = { groups: 4 }): string {
  const before = device().counters.launches;
  try {
    addBias(buffers as never, constants as never, shape as never);
  } catch (error) {
    expect(device().counters.launches).toBe(before);
    return (error as Error).message;
  }
  throw new Error("accepted");
}

describe("a launch by hand of a kernel compiled at run time refuses", () => {
  it("views whose strides the kernel would not see", () => {
    using turned = source.transpose();
    expect(refusal({ source: turned, target })).toMatchInlineSnapshot(
      `"add_bias: source: expected a contiguous tensor, since the kernel is not told of strides, received strides [1, 2] for shape [2, 2]. Pass tensor.contiguous(), or { storage, byteOffset, dtype } and the strides as constants."`,
    );
    using one = zeros([1]);
    using repeated = one.expand([4]);
    expect(refusal({ source, target: repeated })).toContain("target: expected a contiguous tensor");
  });

  it("names that it does not know: a misspelt optional buffer is not an absent one", () => {
    expect(refusal({ source, biass: source, target })).toMatchInlineSnapshot(
      `"add_bias: buffers: expected only names among source, bias, target, received "biass"."`,
    );
    expect(refusal({ source, target }, { count: 4, more: 1 })).toContain(
      'constants: expected only names among count, received "more"',
    );
    expect(refusal({ source, target }, { count: 4 }, { groups: 4, thread: 3 })).toContain('received "thread"');
  });

  it("arguments that are none", () => {
    expect(refusal({ source: [1, 2, 3, 4], target })).toContain(
      "expected a tensor, or { storage, byteOffset, dtype }, received an array",
    );
    expect(refusal(undefined)).toContain("buffers: expected an object, received undefined");
    expect(refusal({ source, target }, { count: 4 }, {})).toContain(
      "groups: expected a number, or three, received undefined",
    );
    expect(refusal({ source, target }, { count: 4 }, { groups: [2, 2] })).toContain("received 2 numbers");
  });

  it("and runs with or without what is optional", () => {
    addBias({ source, target }, { count: 4 }, { groups: 4 });
    expect(Array.from(target.dataSync())).toEqual([1, 2, 3, 4]);
    addBias({ source, bias: source, target }, { count: 4 }, { groups: 4 });
    expect(Array.from(target.dataSync())).toEqual([2, 4, 6, 8]);
  });
});

it("a text without kernels is refused", () => {
  expect(() => compileKernels("// nothing")).toThrowErrorMatchingInlineSnapshot(
    `[KernelError: compileKernels: text: expected a kernel, received none.]`,
  );
});
