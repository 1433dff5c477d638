import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BUILDS,
  CompileError,
  type Compiler,
  compileFlags,
  compileLibrary,
  compileLibrarySync,
  findCompiler,
  hostLevels,
  hostTarget,
  levelsOfFlags,
  libraryFileName,
  type Target,
} from "../src/index.js";
import { processorSeconds, runCommandSync, timed } from "../src/process.js";
import { zigEnvironment } from "../src/zig.js";

const folder = mkdtempSync(join(tmpdir(), "metile-compiler-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = join(folder, "kernels.cpp");
const TEXT = `#include <answer.h>
extern "C" void fill(float* out, const float* in, unsigned n) {
  alignas(64) float memory[16384];
  for (unsigned i = 0; i < n; ++i) memory[i & 16383] = in[i] * ANSWER;
  for (unsigned i = 0; i < n; ++i) out[i] = memory[(i * 7) & 16383];
}
`;
let compiler: Compiler;
beforeAll(() => {
  writeFileSync(source, TEXT);
  writeFileSync(join(folder, "answer.h"), "");
  compiler = findCompiler();
});

const host = { target: hostTarget() ?? "linux-x64", level: hostLevels().at(-1) ?? "v3" };
const request = (output: string) => ({
  ...host,
  compiler,
  source,
  output: join(folder, output),
  includes: [folder],
  defines: { ANSWER: 42 },
});

describe("compileLibrary", () => {
  it("makes a library and leaves nothing else", async () => {
    const made = await compileLibrary(request("one/a.so"));
    expect(made.bytes).toBe(readFileSync(made.output).length);
    expect(readdirSync(join(folder, "one"))).toEqual(["a.so"]);
    expect(made.seconds).toBeGreaterThan(0);
    expect(made.processorSeconds).toBeGreaterThan(0);
  });

  it("makes the same bytes for every target from another folder, with an empty cache", {
    timeout: 240_000,
  }, async () => {
    const again = join(folder, "elsewhere", "again.cpp");
    mkdirSync(dirname(again));
    writeFileSync(again, TEXT);
    const fresh = { ...compiler, environment: zigEnvironment(folder, join(folder, "cache")) };
    for (const build of compiler.kind === "zig" ? BUILDS : [host]) {
      const name = libraryFileName("same", build);
      const first = await compileLibrary({ ...request(join("two", name)), ...build });
      const second = { ...request(join("elsewhere/three", name)), ...build, source: again, compiler: fresh };
      const bytes = [first, await compileLibrary(second)].map(({ output }) => readFileSync(output));
      expect(bytes[0]?.equals(bytes[1] as Buffer), basename(name)).toBe(true);
      const magic = build.target === "darwin-arm64" ? "cffaedfe" : "7f454c46";
      expect(bytes[0]?.subarray(0, 4).toString("hex")).toBe(magic);
    }
  });

  it("needs nothing of the process but memcpy and memset", async ({ skip }) => {
    const { output } = await compileLibrary(request("needs.so"));
    let symbols = "";
    try {
      symbols = execFileSync("nm", ["-D", "--undefined-only", output], { encoding: "utf8" });
    } catch {
      skip("no nm here");
    }
    const names = symbols.split("\n").flatMap((line) => line.trim().split(" ").slice(1));
    expect(names.filter((name) => !/^(memcpy|memset)\b/.test(name))).toEqual([]);
  });

  it("throws what the compiler said, and keeps the library that was there", async () => {
    const output = join(folder, "kept.so");
    writeFileSync(output, "old");
    const wrong = { ...request("kept.so"), defines: { ANSWER: "nothing" } };
    await expect(compileLibrary(wrong)).rejects.toThrow(CompileError);
    expect(() => compileLibrarySync(wrong)).toThrow(/kernels\.cpp:4:\d+: error: .*nothing/);
    expect(readFileSync(output, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.startsWith(".build-"))).toEqual([]);
  });

  it("refuses other targets than the host's to a system compiler", async () => {
    const target: Target = host.target === "darwin-arm64" ? "linux-arm64" : "darwin-arm64";
    const system = { ...compiler, kind: "gcc" as const, command: "g++" };
    const other = { ...request("other.so"), compiler: system, target, level: "arm64" as const };
    await expect(compileLibrary(other)).rejects.toThrow(/^g\+\+ compiles for \S+ only; zig is needed for /);
    expect(existsSync(join(folder, "other.so"))).toBe(false);
  });
});

describe("flags", () => {
  it("are strict about floating point with every compiler", () => {
    for (const kind of ["zig", "clang", "gcc"] as const) {
      for (const build of BUILDS) {
        const flags = compileFlags(kind, build);
        expect(flags).toContain("-ffp-contract=off");
        expect(flags.filter((flag) => /fast-math|associative|finite|reciprocal|no-signed-zeros/.test(flag))).toEqual(
          [],
        );
      }
    }
  });

  it("widen vectors to 512 bits at v4", () => {
    expect(compileFlags("zig", { target: "linux-x64", level: "v4" })).toContain("-mcpu=x86_64_v4-prefer_256_bit");
    expect(compileFlags("gcc", { target: "linux-x64", level: "v4" })).toContain("-mprefer-vector-width=512");
  });
});

describe("levels", () => {
  const v3 = ["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"];
  const v4 = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];

  it("follow from a processor's flags, none skipped", () => {
    const levels = (...flags: string[]) => levelsOfFlags(new Set(flags));
    expect(levels("sse2", "avx")).toEqual([]);
    expect(levels(...v3)).toEqual(["v3"]);
    expect(levels(...v3, ...v4)).toEqual(["v3", "v4"]);
    expect(levels(...v3, "avx512_bf16")).toEqual(["v3"]);
    expect(levels(...v4)).toEqual([]);
  });

  it("name libraries", () => {
    expect(BUILDS.map((build) => libraryFileName("norms", build))).toEqual([
      "norms-linux-x64-v3.so",
      "norms-linux-x64-v4.so",
      "norms-linux-arm64.so",
      "norms-darwin-arm64.dylib",
    ]);
  });
});

describe("processor time", () => {
  it("is that of the command, and its failure stays one", () => {
    const burn = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo "1m2s 3m4s"';
    const output = runCommandSync(timed({ line: ["sh", "-c", burn], environment: {} }));
    const seconds = processorSeconds(output);
    expect(seconds).toBeGreaterThan(0.02);
    expect(seconds).toBeLessThan(20);
    expect(() => runCommandSync(timed({ line: ["sh", "-c", "exit 7"], environment: {} }))).toThrow(/status 7/);
  });

  it("adds minutes, and user and system time", () => {
    expect(processorSeconds("\n0m0.01s 0m0.02s\n1m2.50s 2m0.25s\n")).toBeCloseTo(182.75);
    expect(processorSeconds("")).toBe(0);
  });
});
