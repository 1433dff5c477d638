import { describe, expect, it } from "vitest";
import { defineKernels, rowLaunch } from "../../src/family.js";
import { compileKernels, device, KernelError, ShapeError, tensor } from "../../src/index.js";
import type { BoundKernel } from "../../src/kernel/bind.js";
import type { KernelReflection } from "../../src/kernel/types.js";
import { ARTEFACT_VERSION } from "../../src/native/types.js";
import { type FakeGpu, fakeGpu, macrosIn } from "../support/gpu.js";
import { thrown } from "../support/thrown.js";

const scale: KernelReflection = {
  name: "scale_rows",
  macros: ["STORAGE", "GRADIENT"],
  buffers: [
    { name: "source", index: 0, element: "STORAGE", access: "read", optional: false },
    { name: "target", index: 1, element: "GRADIENT", access: "write", optional: true },
  ],
  constants: [{ name: "factor", index: 2, type: "float" }],
  threadgroup: [
    { index: 0, name: "scratch", element: "float" },
    { index: 3, name: "row_values", element: "float" },
  ],
  attributes: [],
  file: "scale.metal",
  line: 1,
};
const other: KernelReflection = {
  ...scale,
  name: "other",
  macros: ["INDEX"],
  buffers: [{ name: "source", index: 0, element: "INDEX", access: "read", optional: false }],
  constants: [],
  threadgroup: [],
};
const apart: KernelReflection = { ...other, name: "apart", macros: [], buffers: other.buffers, file: "apart.metal" };

const kernels = defineKernels<{ scaleRows: BoundKernel; other: BoundKernel; apart: BoundKernel }>({
  family: "tests",
  artefactVersion: ARTEFACT_VERSION,
  directory: new URL("file:///nowhere/"),
  sources: { "scale.metal": "text of scale", "apart.metal": "text of apart" },
  kernels: [scale, other, apart],
});

const threadgroup = { scratch: 512, rowValues: 40 };
const macros = Object.freeze({ ROW_PACK: 4 });
const shape = { groups: 7, threads: 64, macros, threadgroup, work: 9 };

function launched(
  gpu: FakeGpu,
  more: Partial<Parameters<BoundKernel>[2]> = {},
  dtype: "float16" | "float32" = "float16",
) {
  const source = gpu.buffer(dtype, 64, 16);
  kernels.scaleRows({ source, target: gpu.buffer("float32") }, { factor: 2 }, { ...shape, ...more });
}

describe("a build's kernels on a GPU", () => {
  it("a launch in words: threads, constants, and the memory of each threadgroup argument in whole 16 bytes", () => {
    const gpu = fakeGpu();
    const source = gpu.buffer("float16", 64, 16);
    const target = gpu.buffer("float32");
    kernels.scaleRows({ source, target }, { factor: 2 }, { ...shape, overwrites: true });
    const two = new Uint32Array(Float32Array.of(2).buffer)[0] as number;
    expect(gpu.launches).toEqual([
      {
        kernel: 1,
        groups: [7, 1, 1],
        threads: 64,
        work: 9,
        buffers: [
          { index: 0, flags: 0, slot: source.storage.slot, offset: 16 },
          { index: 1, flags: 5, slot: target.storage.slot, offset: 0 },
        ],
        constants: [{ index: 2, bytes: 4, words: [two] }],
        threadgroup: [
          { index: 0, bytes: 512 },
          { index: 3, bytes: 48 },
        ],
      },
    ]);
  });

  it("a variant has the types of all the file's macros, the launcher's macros and the threads", () => {
    const gpu = fakeGpu();
    launched(gpu);
    expect(gpu.variants.map(({ entry, threads, mathMode }) => [entry, threads, mathMode])).toEqual([
      ["scale_rows", 64, "safe"],
    ]);
    expect(macrosIn(gpu.variants[0] as never)).toEqual({
      STORAGE: "half",
      PARAMETER: "float",
      COTANGENT: "half",
      GRADIENT: "float",
      INDEX: "float",
      ROW_PACK: "4",
      ROW_THREADS: "64",
    });
  });

  it("a text is handed over once a device and file, and compiled once a variant", () => {
    const [gpu, second] = [fakeGpu(), fakeGpu()];
    for (let run = 0; run < 3; run += 1) launched(gpu);
    expect(gpu.variants).toHaveLength(1);
    launched(gpu, { macros: { ROW_PACK: 4 } }); // another object, the same content
    launched(gpu, { macros: { ROW_PACK: "4" as never } });
    expect(gpu.variants).toHaveLength(2); // "4" is other content, if the same text to the compiler
    const count = gpu.variants.length;
    launched(gpu, { threads: 128 });
    launched(gpu, { macros: { ROW_PACK: 8 } });
    launched(gpu, {}, "float32");
    expect(gpu.variants).toHaveLength(count + 3);
    const changing: Record<string, number> = { ROW_PACK: 1 };
    launched(gpu, { macros: changing });
    changing.ROW_PACK = 2;
    launched(gpu, { macros: changing });
    expect(gpu.variants.slice(-2).map((variant) => macrosIn(variant).ROW_PACK)).toEqual(["1", "2"]);
    expect(new Set(gpu.launches.map(({ kernel }) => kernel)).size).toBe(gpu.variants.length);
    kernels.other({ source: gpu.buffer("int32") }, {}, { groups: 1 });
    expect(gpu.sources).toEqual([{ text: "text of scale", fileName: "scale.metal" }]);
    kernels.apart({ source: gpu.buffer("int32") }, {}, { groups: 1 });
    expect(gpu.sources.map(({ fileName }) => fileName)).toEqual(["scale.metal", "apart.metal"]);
    launched(second);
    expect([second.sources.length, second.variants.length]).toEqual([1, 1]);
  });

  it("a launch that leaves out a threadgroup argument's bytes throws and names it; nothing is launched", () => {
    const gpu = fakeGpu();
    for (const [given, name] of [
      [undefined, "scratch"],
      [{ scratch: 512 }, "rowValues"],
      [{ scratch: 0, rowValues: 16 }, "scratch"],
      [{ scratch: 512, rowValues: 1.5 }, "rowValues"],
    ] as const) {
      const error = thrown(() => launched(gpu, { threadgroup: given as never }));
      expect(error.name).toBe("ArgumentError");
      expect(error.message).toContain(`scale_rows: threadgroup.${name}: expected its size in bytes`);
    }
    expect(gpu.launches).toEqual([]);
  });

  it.each([0, -1, 1.5, 1025, 2048 + 64, Number.NaN, "64"])("%s threads are refused", (threads) => {
    const gpu = fakeGpu();
    launched(gpu);
    const error = thrown(() => launched(gpu, { threads: threads as number }));
    expect(error.name).toBe("ShapeError");
    expect(error.message).toContain("scale_rows: threads: expected a whole number from 1 to 1024");
    expect(gpu.launches).toHaveLength(1);
  });

  it.each([{ STORAGE: "half" }, { ROW_THREADS: 3 }, { "A B": 1 }, { A: "1\n#define B" }, { A: {} }, { A: undefined }])(
    "macros %j are refused",
    (wrong) => {
      const error = thrown(() => launched(fakeGpu(), { macros: wrong as never }));
      expect(error.message).toContain(`scale_rows: macros.${Object.keys(wrong)[0]}: expected`);
    },
  );

  it("what the compiler says is in the KernelError, and the next launch asks it again", () => {
    const gpu = fakeGpu();
    gpu.failure = "src/scale.metal:12:5: error: use of undeclared identifier 'x'";
    const error = thrown(() => launched(gpu));
    expect(error).toBeInstanceOf(KernelError);
    expect(error.message).toContain("src/scale.metal:12:5: error: use of undeclared identifier 'x'");
    expect(error.message).toContain("STORAGE=half");
    gpu.failure = undefined;
    launched(gpu);
    expect(gpu.launches).toHaveLength(1);
  });

  it("bfloat16 is refused where the GPU has no bfloat, before a compiler sees it", () => {
    const gpu = fakeGpu({ bfloat: false });
    const source = gpu.buffer("bfloat16");
    const error = thrown(() => kernels.scaleRows({ source, target: null }, { factor: 1 }, shape));
    expect(error.name).toBe("DtypeError");
    expect(error.message).toContain("float32 or float16 on metal (applegpu_g13g, Metal 3.0)");
    launched(gpu);
    expect(gpu.variants).toHaveLength(1);
  });

  it("buffers of two devices are refused: slots are numbers of their own device", () => {
    const gpu = fakeGpu();
    using elsewhere = tensor([1, 2], null, "float32", "cpu");
    const error = thrown(() =>
      kernels.scaleRows({ source: gpu.buffer("float16"), target: elsewhere }, { factor: 1 }, shape),
    );
    expect(error.name).toBe("DeviceError");
    expect(error.message).toContain("scale_rows: target: expected a buffer on metal");
    expect(gpu.launches).toEqual([]);
  });

  it("a launcher's frozen macros are looked into once, and known by their identity then", () => {
    const gpu = fakeGpu();
    let looks = 0;
    const watched = new Proxy(macros, {
      ownKeys: (target) => {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    });
    launched(gpu, { macros: watched });
    const first = looks;
    expect(first).toBeGreaterThan(0);
    for (let run = 0; run < 10; run += 1) launched(gpu, { macros: watched });
    expect(looks).toBe(first);
    expect(gpu.variants).toHaveLength(1);
  });

  it("rows of one width and type take one variant, wherever they lie", () => {
    const gpu = fakeGpu();
    for (let rows = 1; rows < 100; rows += 1) {
      const [source, target] = [gpu.buffer("float16", 64, 16 * rows), gpu.buffer("float32")];
      kernels.scaleRows({ source, target }, { factor: 1 }, { ...rowLaunch(rows, 64, [source, target]), threadgroup });
    }
    expect(gpu.variants).toHaveLength(1);
  });
});

describe("a text compiled at run time, on a GPU", () => {
  const text = `#include "metile/row.h"
#pragma metile type INDEX(int, uint)
kernel void pick(device const STORAGE* source [[buffer(0)]], device const INDEX* index [[buffer(1)]],
    device STORAGE* target [[buffer(2)]], threadgroup float* scratch [[threadgroup(0)]], uint i [[thread_position_in_grid]]) {
  target[i] = source[index[i]];
}`;

  it("is handed over with its includes in place, and compiled with every type macro", () => {
    const gpu = fakeGpu();
    const { pick } = compileKernels(text, "pick.metal");
    const run = (): void =>
      pick?.(
        { source: gpu.buffer("bfloat16"), index: gpu.buffer("uint32"), target: gpu.buffer("bfloat16") },
        {},
        { groups: 2, threads: 32, threadgroup: { scratch: 16 } },
      );
    run();
    run();
    expect(gpu.sources).toHaveLength(1);
    const [source] = gpu.sources;
    expect(source?.fileName).toBe("pick.metal");
    expect(source?.text).not.toMatch(/#include "/);
    expect(source?.text).toContain('#line 1 "pick.metal"');
    expect(source?.text).toContain("struct Team");
    expect(gpu.variants).toHaveLength(1);
    expect(macrosIn(gpu.variants[0] as never)).toMatchObject({
      STORAGE: "bfloat",
      INDEX: "uint",
      PARAMETER: "float",
      ROW_THREADS: "32",
    });
    expect(gpu.launches[0]?.threadgroup).toEqual([{ index: 0, bytes: 16 }]);
  });

  it("no more threads than the kernel's attribute allows", () => {
    const gpu = fakeGpu();
    const { few } = compileKernels(`#include <metal_stdlib>
using namespace metal;
[[max_total_threads_per_threadgroup(64)]] kernel void few(device float* target [[buffer(0)]]) { target[0] = 1; }`);
    const target = gpu.buffer("float32");
    expect(thrown(() => few?.({ target }, {}, { groups: 1, threads: 65 })).message).toMatchInlineSnapshot(
      `"few: threads: expected a whole number from 1 to 64, received 65."`,
    );
    few?.({ target }, {}, { groups: 1, threads: 64 });
    expect(gpu.launches).toHaveLength(1);
  });

  it("a launch that the addon refuses names its kernel", () => {
    const gpu = fakeGpu();
    gpu.refusal = "launch with 40000 bytes of threadgroup memory; this device has 32768";
    const error = thrown(() => launched(gpu));
    expect(error).toBeInstanceOf(ShapeError);
    expect(error.message).toMatchInlineSnapshot(
      `"scale_rows: received a launch with 40000 bytes of threadgroup memory; this device has 32768."`,
    );
  });

  it("threadgroup memory is ignored on a CPU", () => {
    const { twice } = compileKernels(`#include <metal_stdlib>
using namespace metal;
kernel void twice(device const float* source [[buffer(0)]], device float* target [[buffer(1)]],
    threadgroup float* scratch [[threadgroup(0)]], uint i [[threadgroup_position_in_grid]]) { target[i] = 2.0f * source[i]; }`);
    using source = tensor([1, 2, 3], null, "float32", device("cpu"));
    using target = tensor([0, 0, 0], null, "float32", device("cpu"));
    twice?.({ source, target }, {}, { groups: 3 });
    twice?.({ source, target }, {}, { groups: 3, threads: 64, threadgroup: { scratch: 512 }, macros: { A: 1 } });
    expect([...target.dataSync()]).toEqual([2, 4, 6]);
  });
});
