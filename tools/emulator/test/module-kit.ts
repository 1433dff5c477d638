import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Compiler, findCompiler, runCommand } from "@metile/compiler";
import { expect } from "vitest";
import type { TypedArray } from "../src/index.js";
import { compileModule } from "../src/module/compile.js";
import type { Mode } from "../src/module/machine.js";
import { Toolchain } from "../src/module/toolchain.js";
import { temporaryFolder } from "./kit.js";

const HOST = fileURLToPath(new URL("host.cpp", import.meta.url));
const TARGET = fileURLToPath(new URL("../target", import.meta.url));

/** The Metal header and namespace that every text begins with; a kernel's text behind it starts at line 1 of kernel.metal. */
export const HEADER = '#include <metal_stdlib>\nusing namespace metal;\n#line 1 "kernel.metal"\n';

/** One launch of a kernel of a module. */
export interface ModuleLaunch {
  readonly text: string;
  readonly macros?: Readonly<Record<string, string>>;
  readonly kernel: string;
  readonly groups: readonly [number, number, number];
  readonly threads: readonly [number, number, number];
  /** Buffers and constants by index; an alias lies in another buffer, from an offset on. */
  readonly buffers: Readonly<Record<number, TypedArray | { readonly alias: number; readonly offset: number }>>;
  readonly threadgroup?: Readonly<Record<number, number>>;
  readonly repeats?: number;
  /** @default what findCompiler finds */
  readonly compiler?: Compiler;
}

/** What a launch left. */
export interface ModuleOutcome {
  readonly answer: number;
  readonly message: string;
  /** Kilobytes by which memory grew while the launch was repeated. */
  readonly grown: number;
  readonly buffers: Readonly<Record<number, TypedArray>>;
}

let host: Promise<string> | undefined;

async function buildHost(): Promise<string> {
  const { kind, command, prefix, environment } = findCompiler();
  const output = join(temporaryFolder(), "host");
  const object = `${output}.o`;
  const flags = ["-O1", "-w", "-fno-sanitize=undefined", `-I${TARGET}`, "-pthread"];
  await runCommand({ line: [command, ...prefix, "-c", ...flags, HOST, "-o", object], environment });
  // as C: zig would first build the whole of C++'s library
  const linker = kind === "zig" ? ["cc"] : [];
  await runCommand({ line: [command, ...linker, object, "-o", output, "-ldl", "-lm", "-pthread"], environment });
  return output;
}

/** Compiles a text to a module, loads it in a process of its own, and launches a kernel. */
export async function launchModule(mode: Mode, launch: ModuleLaunch): Promise<ModuleOutcome> {
  host ??= buildHost();
  const { text, macros = {}, kernel, groups, threads, buffers, threadgroup = {}, repeats = 1 } = launch;
  const target = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
  const options = { toolchain: new Toolchain(target, launch.compiler), mode };
  const [program, { module }] = await Promise.all([host, compileModule({ text, macros }, options)]);
  const folder = temporaryFolder();
  const words: string[] = [];
  for (const [index, value] of Object.entries(buffers)) {
    if ("alias" in value) {
      words.push("alias", index, String(value.alias), String(value.offset)); // behind the buffers
      continue;
    }
    writeFileSync(join(folder, index), new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    words.unshift("buffer", index, join(folder, index));
  }
  const memory = Object.entries(threadgroup).flatMap(([index, bytes]) => ["threadgroup", index, String(bytes)]);
  const numbers = [...groups, ...threads, repeats].map(String);
  const line = [program, module, kernel, ...numbers, ...words, ...memory];
  const output = await runCommand({ line, environment: {} });
  const [handled, answer, grown, ...rest] = output.trimEnd().split("\n");
  expect(handled).toBe("own fault handled");
  const results = Object.entries(buffers).flatMap(([index, value]) => {
    if ("alias" in value) return [];
    const bytes = new Uint8Array(readFileSync(join(folder, index)));
    const Type = value.constructor as new (buffer: ArrayBuffer) => TypedArray;
    return [[index, new Type(bytes.buffer)]];
  });
  return {
    answer: Number(answer),
    message: rest.join("\n"),
    grown: Number(grown),
    buffers: Object.fromEntries(results),
  };
}
