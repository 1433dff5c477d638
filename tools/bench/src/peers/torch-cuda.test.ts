import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Case } from "../measure/case.js";
import { PeerUnavailable } from "../measure/peer.js";
import { measureCase } from "../measure/runner.js";
import { TorchCudaPeer, TorchCudaProcess } from "./torch-cuda.js";

const folder = mkdtempSync(join(tmpdir(), "metile-bench-test-"));
const script = join(folder, "peer.mjs");

/** In place of the Python process: answers as it does, and tells of every request in a last one. */
writeFileSync(
  script,
  `import { createInterface } from "node:readline";
const log = [];
const answers = {
  hello: () => ({ versions: { eager: "2.0", compile: "2.0" }, absent: { liger: "no module" }, path: process.env.PYTHONPATH }),
  prepare: ({ operation }) => (operation === "rope" ? { error: "KeyError: rope" } : {}),
  warm: ({ variant }) => (variant === "compile" && process.argv.includes("broken") ? { error: "no compiler" } : { peakBytes: 64 }),
  run: ({ variant, calls }) => ({ milliseconds: variant === "eager" ? calls : 2 * calls }),
  host: ({ calls, samples }) => ({ microseconds: Array(samples).fill(calls) }),
  release: () => ({}),
  log: () => ({ log }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.command !== "log") log.push([request.command, request.variant].filter(Boolean).join(" "));
  console.log(JSON.stringify(answers[request.command](request)));
});
`,
);

afterAll(() => rmSync(folder, { recursive: true }));

const task: Case = {
  operation: "rmsNorm",
  pass: "forward+backward",
  dtype: "bfloat16",
  gradientType: "input",
  rounding: "separate",
  rows: 8192,
  columns: 4096,
};

const started: TorchCudaProcess[] = [];

function peers(file = script, calls?: number) {
  const shared = new TorchCudaProcess({
    script: file,
    candidates: [process.execPath],
    bytes: () => 4e8,
    liger: "/liger",
    calls,
  });
  started.push(shared);
  return { shared, eager: new TorchCudaPeer("eager", shared), compile: new TorchCudaPeer("compile", shared) };
}

async function logOf(shared: TorchCudaProcess): Promise<unknown> {
  return (await shared.ask({ command: "log" })).log;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});

describe("TorchCudaPeer", () => {
  it("shares a process and its inputs, and interleaves samples of K calls", async () => {
    const { shared, eager, compile } = peers();
    expect(await eager.start()).toBe("2.0");
    expect(await compile.start()).toBe("2.0");
    const { samples, peakBytes, failures } = await measureCase(task, [eager, compile], {
      repeats: 2,
      warmups: 0,
      rest: 0,
    });
    expect(failures).toEqual({});
    expect(samples).toEqual({ eager: [25, 25], compile: [50, 50] });
    expect(peakBytes).toEqual({ eager: 64, compile: 64 });
    expect(await logOf(shared)).toEqual([
      "hello",
      "prepare",
      "warm eager",
      "warm compile",
      "run eager",
      "run compile",
      "run compile",
      "run eager",
      "release",
    ]);
  });

  it("goes on with the others where one cannot run, and frees the inputs in the end", async () => {
    const { shared, eager } = peers();
    await eager.start();
    const { failures } = await measureCase({ ...task, operation: "rope" }, [eager], { repeats: 1, rest: 0 });
    expect(failures).toEqual({ eager: "KeyError: rope" });
    const { samples } = await measureCase(task, [eager], { repeats: 1, warmups: 0, rest: 0 });
    expect(samples).toEqual({ eager: [25] });
    expect(await logOf(shared)).toEqual([
      "hello",
      "prepare",
      "release",
      "prepare",
      "warm eager",
      "run eager",
      "release",
    ]);
  });

  it("takes as many calls a sample as it is told", async () => {
    const { eager } = peers(script, 7);
    await eager.start();
    const { samples } = await measureCase(task, [eager], { repeats: 1, warmups: 0, rest: 0 });
    expect(samples).toEqual({ eager: [7] });
  });

  it("tells what a call costs the host", async () => {
    const { eager } = peers();
    await eager.start();
    const costs = await eager.hostCost("rmsNorm", "bfloat16");
    expect(new Set(costs)).toEqual(new Set([20]));
  });

  it("says what is not there and how to name it", async () => {
    const { shared } = peers();
    const failure = await new TorchCudaPeer("liger", shared).start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PeerUnavailable);
    expect((failure as Error).message).toMatch(/no module.*--liger DIR$/);
  });

  it("names the interpreters that were tried", async () => {
    const { eager } = peers(join(folder, "missing.mjs"));
    const failure = await eager.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PeerUnavailable);
    expect((failure as Error).message).toMatch(/status 1.*--python PATH$/);
  });

  it("lets Python find Liger in the folder that is named", async () => {
    const { shared } = peers();
    expect((await shared.hello()) as unknown).toMatchObject({ path: expect.stringMatching(/^\/liger/) });
  });
});
