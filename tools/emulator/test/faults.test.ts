import { describe, expect, test } from "vitest";
import { type EmulateOptions, emulate } from "../src/index.js";
import { ACCESSES, DIVERGENCES, type Fault, RACES, SIGNATURE } from "./faults.js";

const HEADER = "#include <metal_stdlib>\nusing namespace metal;\n";

function optionsOf({ body, options }: Fault): EmulateOptions & { text: string } {
  const threads = options?.threads ?? 64;
  const input = Float32Array.from({ length: 2 * threads }, (_, index) => index);
  return {
    text: `${HEADER}${SIGNATURE} {${body}\n}\n`,
    kernel: "fault",
    buffers: { input, output: new Float32Array(2 * threads), counter: new Uint32Array(1) },
    constants: { count: 2 * threads },
    initialised: ["counter"],
    threadgroup: { scratch: 4 * threads },
    groups: 2,
    threads,
    ...options,
  };
}

describe.runIf(process.platform === "linux").each([
  ["races", RACES],
  ["divergence", DIVERGENCES],
  ["accesses", ACCESSES],
])("%s", (_, faults) => {
  test.concurrent.each(faults)("$kind: $title", async (fault) => {
    const options = optionsOf(fault);
    const { reports } = await emulate(options);
    const line = options.text.split("\n").findIndex((text) => text.includes("// FAULT")) + 1;
    const found = reports.map((report) => `${report.kind} ${report.file}:${report.line}`);
    expect(found).toContain(`${fault.kind} kernel.metal:${line}`);
  });
});

test.runIf(process.platform === "linux")(
  "an output that is written in part: unwritten-output, at the kernel",
  async () => {
    const options = optionsOf({
      title: "",
      kind: "unwritten-output",
      body: "\n  if (i % 5 != 0) output[i] = input[i];",
    });
    const { reports } = await emulate(options);
    expect(reports).toMatchObject([
      {
        kind: "unwritten-output",
        line: 3,
        message: "104 of 512 bytes of buffer output were never written, the first at byte 0",
      },
    ]);
  },
);
