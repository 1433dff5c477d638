import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { StandinOptions } from "../src/index.js";
import { casesOf, prepare, runCase, testServer } from "./kit.js";

/** Cases that want the stand-in otherwise than it is by default. */
const options: Record<string, StandinOptions> = {
  older_system: { system: "13.0" },
  older_language: { system: "13.0" },
  memory_limit: { memoryBytes: 65536 },
  pipelines: { pipelineThreads: 832 },
  dropped: { pipelineThreads: 512, abortOnDrop: false },
  third_fails: { failBuffer: { number: 3, code: 3 } },
};

/** Cases with a test of their own below. */
const apart = ["encodings", "shuffled_order", "newer_selector", "devices", "empty_list", "speed"];

beforeAll(prepare, 600_000);

describe.each(["runtime", "metal", "order", "error", "endurance"])("%s", (file) => {
  it.each(casesOf(`${file}_cases.cc`).filter((name) => !apart.includes(name)))("%s", (name) => {
    const { status, output, errors } = runCase(name, options[name]);
    expect(errors).toBe("");
    expect(output).toMatch(/ok\n$/);
    expect(status).toBe(0);
  });
});

it("keeps arguments in time: a message and a command buffer", () => {
  const { output, status } = runCase("speed");
  expect(status).toBe(0);
  const [message, commandBuffer] = [...output.matchAll(/([\d.]+) (?:ns|us)/g)].map(([, number]) => Number(number));
  expect(message).toBeLessThan(1000);
  expect(commandBuffer).toBeLessThan(500);
});

it("runs unordered dispatches in an order that the seed decides", () => {
  const order = (seed: number) => runCase("shuffled_order", { seed }).output;
  expect(order(0)).toContain("8 7 6 5 4 3 2 1");
  expect(order(1)).not.toBe(order(0));
  expect(order(1)).not.toBe(order(2));
  expect(order(1)).toBe(order(1));
});

it("has no method that is newer than the system", () => {
  expect(runCase("newer_selector").status).toBe(0);
  const { errors, signal } = runCase("newer_selector", { system: "13.0" });
  expect(errors).toContain("-[MTLDevice architecture]: unrecognized selector: it came with macOS 14.0");
  expect(signal).toBe("SIGABRT");
});

it("finds the device in the ways that it is told", () => {
  const found = (devices: "both" | "list" | "default" | "none") => runCase("devices", { devices }).output;
  expect(found("both")).toContain("1 1");
  expect(found("list")).toContain("0 1");
  expect(found("default")).toContain("1 0");
  expect(found("none")).toContain("0 0");
  expect(runCase("empty_list", { devices: "none" }).errors).toContain("index 0 beyond bounds [0 .. 0)");
});

it("tells the compile server text, macros, language version and math mode", () => {
  withFolder((folder) => {
    const log = join(folder, "requests");
    expect(runCase("vector_add", { server: testServer(log) }).status).toBe(0);
    expect(JSON.parse(readFileSync(log, "utf8"))).toEqual({
      text: "kernels",
      macros: {},
      languageVersion: "3.0",
      mathMode: "fast",
    });
  });
});

it("says why nothing compiles without a server", () => {
  expect(runCase("vector_add", { server: [] }).output).toContain("from != nullptr");
  expect(runCase("compile_errors", { server: ["/no/such/program"] }).output).toContain("message(error) ==");
});

it("reports at the end, and traces every message", () => {
  withFolder((folder) => {
    const [report, trace] = [join(folder, "report"), join(folder, "trace")];
    const { errors } = runCase("missing_pool", { report, trace, leaks: true });
    expect(errors).toMatch(/^stand-in: 2 pool leaks, 0 bytes in buffers, live objects \{"NSString":2\}\n$/);
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ poolLeaks: 2, live: { NSString: 2 } });
    expect(readFileSync(trace, "utf8")).toMatch(/^\d+ \+\[NSString stringWithUTF8String:\]\n/);
  });
});

function withFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "metile-standin-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
