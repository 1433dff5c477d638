import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { HEADER } from "./module-kit.js";

const SERVER = fileURLToPath(new URL("../dist/server.js", import.meta.url));

interface Answer {
  readonly id?: unknown;
  readonly ok: boolean;
  readonly error?: string;
  readonly module?: string;
  readonly kernels?: readonly unknown[];
}

/** Sends lines to a server, ends its input, and reads what it answers. */
async function ask(lines: readonly string[], words: readonly string[] = []): Promise<Answer[]> {
  const child = spawn(process.execPath, [SERVER, ...words], { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.end(`${lines.join("\n")}\n`);
  const status = await new Promise((resolve) => child.on("close", resolve));
  expect(status).toBe(0);
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

const request = (id: number, text: string, more: object = {}) =>
  JSON.stringify({ id, text: `${HEADER}${text}`, macros: {}, languageVersion: "3.1", mathMode: "safe", ...more });

test.runIf(process.platform === "linux")("answers in order, with what a device must know of each kernel", async () => {
  const good = `kernel void f(device const STORAGE* x [[buffer(0)]], device float4* y [[buffer(2)]], constant ulong& n [[buffer(3)]],
    constant float* table [[buffer(7)]], threadgroup float* own [[threadgroup(1)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[33];
  shared[i] = float(x[i]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = float4(shared[32 - i] + table[n] + own[0]);
}
kernel void g() {}`;
  const answers = await ask([
    request(1, good, { macros: { STORAGE: "bfloat" } }),
    request(2, "kernel void f(device float* x [[buffer(0)]]) {\n  x[0] = y;\n}"),
    "",
    "no request",
    request(3, good, { macros: { STORAGE: "half" } }),
  ]);
  expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
    [1, true],
    [2, false],
    [undefined, false],
    [3, true],
  ]);
  expect(existsSync(answers[0]?.module as string)).toBe(true);
  expect(answers[0]?.kernels).toEqual([
    {
      name: "f",
      threadgroupBytes: 132,
      buffers: [
        { index: 0, kind: "device", writable: false, bytes: null },
        { index: 2, kind: "device", writable: true, bytes: null },
        { index: 3, kind: "constant", writable: false, bytes: 8 },
        { index: 7, kind: "constant", writable: false, bytes: null },
      ],
      threadgroups: [1],
    },
    { name: "g", threadgroupBytes: 0, buffers: [], threadgroups: [] },
  ]);
  expect(answers[3]?.module).not.toBe(answers[0]?.module);
});

test.runIf(process.platform === "linux")("what does not compile is told with the line of the file", async () => {
  const kernel = (body: string) => `kernel void f(device float* x [[buffer(0)]]) {\n${body}\n}`;
  const answers = await ask([
    request(1, kernel("  x[0] = missing;")),
    request(2, kernel("  double y = 1.0f;\n  x[0] = float(y);")),
    request(3, kernel("  x[0] = float(bfloat(1.0f));"), { languageVersion: "3.0" }),
    request(4, kernel('  x[0] = 1.0f;\n#error "stop"')),
    request(5, '#include "other.h"\n'),
    request(6, "kernel void f(float x) {}"),
    request(7, '#line 40 "src/other.h"\ninline float g() { return 1; }\nint k = ;'),
  ]);
  expect(answers.map(({ error }) => error?.split("\n")[0])).toEqual([
    "kernel.metal:2:10: error: use of undeclared identifier 'missing'",
    "kernel.metal:2:3: error: there is no double on a GPU; use float",
    "kernel.metal:2:16: error: unknown type name 'bfloat'",
    'kernel.metal:3:1: error: #error "stop"',
    'kernel.metal:1:10: error: "other.h" was not found',
    "kernel.metal:1:21: error: x has no attribute such as [[thread_position_in_grid]]",
    expect.stringMatching(/^src\/other\.h:41:\d+: error: /),
  ]);
});

test.runIf(process.platform === "linux")("modules for another machine, and watched ones", async () => {
  const text = "kernel void f(device float* x [[buffer(0)]]) { x[0] = simd_sum(1.0f); }";
  const [x64] = await ask([request(1, text)], ["--target", "linux-x64"]);
  const [arm64] = await ask([request(1, text)], ["--target", "linux-arm64"]);
  const [watched] = await ask([request(1, text)], ["--watch"]);
  const paths = [x64, arm64, watched].map((answer) => answer?.module);
  expect(new Set(paths).size).toBe(3);
  expect(paths.every((path) => path !== undefined && existsSync(path))).toBe(true);
});
