import { afterEach, describe, expect, it, vi } from "vitest";
import { main } from "../src/command.js";
import { RUNTIME, temporaryFolder } from "./kit.js";

const output: string[] = [];
vi.spyOn(console, "log").mockImplementation((line: string) => void output.push(line));
vi.spyOn(console, "error").mockImplementation((line: string) => void output.push(`error: ${line}`));
afterEach(() => {
  output.length = 0;
});

describe("metile-msl", () => {
  it("check prints kernels and entries as JSON", async () => {
    const folder = temporaryFolder({ "a.metal": "kernel void f(device GRADIENT* x [[buffer(0)]]) {}" });
    expect(await main(["check", `${folder}/a.metal`, "--runtime", RUNTIME])).toBe(0);
    const { kernels, entries } = JSON.parse(output.join("\n"));
    expect(kernels[0].buffers[0].element).toBe("GRADIENT");
    expect(entries).toEqual(["f__float", "f__half", "f__bfloat"]);
  });

  it("build reports, and fails with the error of a kernel", async () => {
    const files = { "package.json": '{ "name": "@metile/empty" }', "src/index.ts": "" };
    const folder = temporaryFolder(files);
    expect(await main(["build", "--package", folder, "--runtime", RUNTIME])).toBe(0);
    expect(output).toEqual(["empty: no kernels"]);
    const wrong = temporaryFolder({ ...files, "src/a.metal": "kernel void f(uint i) {}" });
    await expect(main(["build", "--package", wrong, "--runtime", RUNTIME])).rejects.toThrow(
      /^src\/a\.metal:1:20: i has no/,
    );
  });

  it("tells how it is used when the call is wrong", async () => {
    for (const call of [[], ["build", "x"], ["check"], ["clean"]]) expect(await main(call)).toBe(2);
    expect(output.every((line) => line.startsWith("error: metile-msl build"))).toBe(true);
    expect(await main(["build", "--level", "v3"])).toBe(2);
    expect(output.at(-1)).toMatch(/^error: Unknown option '--level'/);
    output.length = 0;
    expect(await main(["--help"])).toBe(0);
    expect(output[0]).toMatch(/^metile-msl build/);
  });
});
