import { describe, expect, it } from "vitest";
import { allocate, describeStatus, type PairContract } from "../../src/family.js";
import { compileKernels, definePair, type FaultError, type Tensor, tensor, zeros } from "../../src/index.js";
import { ownKernelCache } from "../support/cache.js";
import { rejected, thrown } from "../support/thrown.js";

ownKernelCache();

// status: 1, then the row, the label and the limit.
const kernels = compileKernels(`
#include <metal_stdlib>
using namespace metal;

kernel void pick(
    device const float* table [[buffer(0)]],
    device const int* labels [[buffer(1)]],
    device float* picked [[buffer(2)]],
    device atomic_uint* status [[buffer(3)]],
    constant uint& count [[buffer(4)]],
    constant uint& limit [[buffer(5)]],
    uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  const int label = labels[index];
  picked[index] = 0.0f;
  if (label >= 0 && uint(label) < limit) {
    picked[index] = table[label];
  } else if (atomic_exchange_explicit(status, 1u, memory_order_relaxed) == 0u) {
    atomic_store_explicit(status + 1, index, memory_order_relaxed);
    atomic_store_explicit(status + 2, uint(label), memory_order_relaxed);
    atomic_store_explicit(status + 3, limit, memory_order_relaxed);
  }
}
`) as unknown as {
  pick(
    buffers: Record<string, Tensor>,
    constants: Record<string, number>,
    shape: { groups: number; work?: number },
  ): void;
};

const contract = {
  name: "pick",
  family: "test",
  summary: "Rows of a table by label.",
  formula: "",
  gradients: {},
  source: "",
  inputs: {
    table: { shape: "(rows)", differentiable: false, dtypes: ["float32"], summary: "the table" },
    labels: { shape: "(count)", differentiable: false, dtypes: ["int32"], summary: "the labels" },
  },
  outputs: { picked: { shape: "(count)", summary: "the rows" } },
  options: {},
  bounds: {},
  determinism: "bitwise",
  tolerances: {},
} as const satisfies PairContract;

const pick = definePair<[table: Tensor, labels: Tensor], "picked", never, object, null>({
  contract,
  forward({ inputs }) {
    const { table, labels } = inputs as unknown as { table: Tensor; labels: Tensor };
    const picked = allocate(table.device, labels.shape, "float32");
    kernels.pick(
      { table, labels, picked },
      { count: labels.size, limit: table.size },
      { groups: labels.size, work: labels.size },
    );
    return { outputs: { picked }, save: {}, state: null };
  },
  backward: () => ({}),
});
describeStatus("pick", ({ row, value, limit }) => `label ${value} in row ${row}, outside [0, ${limit})`);

const table = tensor([10, 20]);

describe("R31: a label outside the table, found on the device", () => {
  it("leaves a call with good labels alone", () => {
    expect(Array.from(pick(table, tensor([1, 0, 1], null, "int32")).dataSync())).toEqual([20, 10, 20]);
  });

  it.each([
    [[1, 0, 5], 2, 5],
    [[1, 0, -1], 2, -1],
    [[2, 0, 1], 0, 2],
  ])("%j rejects with operation, row, value and limit", async (labels, row, value) => {
    const error = await rejected<FaultError>(pick(table, tensor(labels, null, "int32")).data());
    expect(error.name).toBe("FaultError");
    expect(error.operation).toBe("pick");
    expect(error.status).toEqual({ code: 1, row, value, limit: 2 });
    expect(error.message).toBe(`pick: received label ${value} in row ${row}, outside [0, 2).`);
  });

  it("rejects what depends on it, with the same words, and nothing else", async () => {
    const failed = pick(table, tensor([7], null, "int32"));
    const dependent = failed.cast("bfloat16").reshape([1, 1]).cast("int32");
    const fresh = pick(table, tensor([0], null, "int32"));
    expect((await rejected(dependent.data())).message).toBe((await rejected(failed.data())).message);
    expect(thrown(() => dependent.dataSync()).message).toMatchInlineSnapshot(
      `"pick: received label 7 in row 0, outside [0, 2)."`,
    );
    expect(Array.from(await fresh.data())).toEqual([10]);
    expect(Array.from(await table.data())).toEqual([10, 20]);
  });

  it("keeps apart launches that fail one after the other", async () => {
    const all = [3, 4, 5].map((label) => pick(table, tensor([label], null, "int32")));
    const values = [];
    for (const each of all) values.push((await rejected<FaultError>(each.data())).status?.value);
    expect(values).toEqual([3, 4, 5]);
  });

  it("is found in a launch that many threads share", async () => {
    const labels = zeros([200_000], "int32");
    labels.slice([123_456], [1]).write([9]);
    const error = await rejected<FaultError>(pick(table, labels).data());
    expect(error.status).toEqual({ code: 1, row: 123_456, value: 9, limit: 2 });
  });
});
