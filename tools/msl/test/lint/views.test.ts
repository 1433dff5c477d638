import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../src/command.js";
import { findCompiler, MslError, readKernelFile, Source, SourceLoader } from "../../src/index.js";
import { lintFile } from "../../src/lint/lint.js";
import { RUNTIME, temporaryFolder } from "../kit.js";
import { lint } from "./kit.js";

describe("forms of a file", () => {
  it("a mistake in one branch of a launcher's macro is found, and the note names what leads there", async () => {
    const message = await lint(
      "kernel void f(device float* y [[buffer(0)]]) {\n#if ROW_PACK == 16\n  y = 1.0f;\n#endif\n}",
    );
    expect(message).toMatchInlineSnapshot(`
      "test.metal:5:7: assigning to 'device float *' from incompatible type 'float'
         5 |   y = 1.0f;
           |       ^
      compiled with ROW_THREADS=64 ROW_PACK=16 ROW_KEEP=0 ROW_KEEP_WEIGHT=0 ROW_PREFETCH=0"
    `);
  });
  it("a mistake in one variant of a type macro is found", async () => {
    const message = await lint("kernel void f(device STORAGE* y [[buffer(0)]]) { y[0] = 1.0f; }");
    expect(message).toMatchInlineSnapshot(`
      "test.metal:3:57: assigning to 'bfloat' from incompatible type 'float'
         3 | kernel void f(device STORAGE* y [[buffer(0)]]) { y[0] = 1.0f; }
           |                                                         ^
      compiled with STORAGE=bfloat"
    `);
  });
  it("a mistake that a macro makes is told where the macro is, with a note of its use", async () => {
    const message = await lint(
      "#define ZERO(p) p = 0.0f\nkernel void f(device float* y [[buffer(0)]]) {\n  ZERO(y);\n}",
    );
    expect(message).toMatchInlineSnapshot(`
      "test.metal:3:21: assigning to 'device float *' from incompatible type 'float'
         3 | #define ZERO(p) p = 0.0f
           |                     ^
      in the use of a macro at test.metal:5:3"
    `);
  });
  it("mistakes of a private header are told in it, and each once", async () => {
    const folder = temporaryFolder({
      "near.h": "inline float near(float* p) { return p[0] * 2.0; }\n",
      "far.metal":
        '#include <metal_stdlib>\nusing namespace metal;\n#include "near.h"\nkernel void f(device STORAGE* y [[buffer(0)]]) {}\n',
    });
    const loader = new SourceLoader(join(RUNTIME, "msl"));
    const file = readKernelFile(loader.load(join(folder, "far.metal"), "far.metal"), loader);
    const { errors } = await lintFile(file, loader, findCompiler({ prefer: "zig" }));
    expect(errors.map(({ file: name, line, column, reason }) => [name, line, column, reason])).toMatchInlineSnapshot(`
      [
        [
          "near.h",
          1,
          24,
          "this pointer has no address space; write device, constant, threadgroup or thread",
        ],
        [
          "near.h",
          1,
          45,
          "2.0 is a double in C++; write 2.0f",
        ],
      ]
    `);
    expect(errors[0]).toBeInstanceOf(MslError);
  });
  it("forms that come to the same tokens are checked once", async () => {
    const loader = new SourceLoader(join(RUNTIME, "msl"));
    const text = "kernel void f(device float* y [[buffer(0)]]) { y[0] = float(ROW_THREADS); }";
    const file = readKernelFile(loader.add(new Source("test.metal", text)), loader);
    expect((await lintFile(file, loader, findCompiler({ prefer: "zig" }))).views).toBe(6); // as many as ROW_THREADS has values
  });
  it("gcc is refused: it knows no address spaces", async () => {
    const loader = new SourceLoader(join(RUNTIME, "msl"));
    const file = readKernelFile(loader.add(new Source("test.metal", "kernel void f() {}")), loader);
    const gcc = { kind: "gcc", command: "g++", prefix: [], version: "13", environment: {}, identity: "gcc" } as const;
    await expect(lintFile(file, loader, gcc)).rejects.toThrow("lint needs clang, for gcc knows no address spaces");
  });
});

describe("metile-msl lint", () => {
  const run = async (kernel: string) => {
    const folder = temporaryFolder({
      "package.json": '{ "name": "@metile/sample" }',
      "src/f.metal": `#include <metal_stdlib>\n${kernel}\n`,
    });
    return main(["lint", "--package", folder, "--runtime", RUNTIME]);
  };
  it("ends with 0 for a package without mistakes", async () => {
    expect(await run("kernel void f(device float* y [[buffer(0)]]) { y[0] = 1.0f; }")).toBe(0);
  });
  it("ends with 1 for mistakes", async () => {
    expect(await run("kernel void f(device float* y [[buffer(0)]]) { y[0] = 1.0; }")).toBe(1);
  });
  it("takes no file", async () => {
    expect(await main(["lint", "src/f.metal"])).toBe(2);
  });
});
