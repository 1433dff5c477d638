import { findCompiler } from "@metile/compiler";
import { describe, expect, test } from "vitest";
import { type EmulateOptions, EmulatorError, emulate } from "../src/index.js";
import { temporaryFolder } from "./kit.js";

const HEADER = "#include <metal_stdlib>\nusing namespace metal;\n";

describe.runIf(process.platform === "linux")("requests", () => {
  const text = `${HEADER}kernel void f(device const float* a [[buffer(0)]], device float* b [[buffer(1)]],
    constant uint& has_a [[buffer(2)]], uint i [[thread_position_in_grid]]) { b[i] = has_a ? a[i] : 7.0f; }`;
  const b = new Float32Array(4);
  const launch = { text, kernel: "f", groups: 1, threads: 4 };

  test("a buffer that is absent: has_… is 0, and reading it is out of bounds", async () => {
    expect(await emulate({ ...launch, buffers: { b } })).toEqual({
      buffers: { b: Float32Array.of(7, 7, 7, 7) },
      reports: [],
    });
    const { reports } = await emulate({ ...launch, buffers: { b }, constants: { has_a: 1 } });
    expect(reports).toMatchObject([{ kind: "out-of-bounds", line: 4, message: expect.stringContaining("0 bytes") }]);
  });

  test("what the kernel does not take is an error that says so", async () => {
    const fails = (options: Partial<EmulateOptions>) =>
      expect(emulate({ ...launch, buffers: { b }, ...options })).rejects.toThrow(EmulatorError);
    await fails({ kernel: "g" });
    await fails({ buffers: {} });
    await fails({ buffers: { b, c: b } });
    await fails({ constants: { rows: 1 } });
    await fails({ constants: { has_a: [1, 2] } });
    await fails({ threads: 0 });
    await fails({ threads: 1025 });
    await fails({ groups: -1 });
    await fails({ threadgroup: { scratch: 4 } });
  });

  test("status words are bound as a launcher would", async () => {
    const body = "{ b[i] = a[i]; if (a[i] > 3.0f) atomic_fetch_or_explicit(status, 9u, memory_order_relaxed); }";
    const checked = `${HEADER}kernel void f(device const float* a [[buffer(0)]], device float* b [[buffer(1)]],
    device atomic_uint* status [[buffer(2)]], uint i [[thread_position_in_grid]]) ${body}`;
    const { buffers, reports } = await emulate({
      ...launch,
      text: checked,
      buffers: { a: Float32Array.of(1, 2, 3, 4), b },
    });
    expect(reports).toEqual([]);
    expect(buffers.status).toEqual(Uint32Array.of(9, 0, 0, 0));
  });

  test("a crash is a report", async () => {
    const { reports } = await emulate({
      ...launch,
      text: text.replace("b[i] =", "if (i == 2) __builtin_trap(); b[i] ="),
      buffers: { b },
    });
    expect(reports).toMatchObject([{ kind: "crash", line: 4, thread: 2 }]);
  });

  test("a system compiler does as well", async () => {
    const compiler = findCompiler({ prefer: "system" });
    const cacheFolder = temporaryFolder();
    const faulty = text.replace("a[i]", "a[i + 1]");
    const a = Float32Array.of(1, 2, 3, 4);
    const { reports } = await emulate({ ...launch, text: faulty, buffers: { a, b }, compiler, cacheFolder });
    expect(reports).toMatchObject([
      { kind: "out-of-bounds", line: 4, message: "read of 4 bytes at byte 16 of a, which has 16 bytes" },
    ]);
  });
});
