import { readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "@metile/compiler";
import {
  CompileError,
  findCompiler,
  inlineIncludes,
  type Source,
  SourceLoader,
  writeCuda,
  writeCudaPrelude,
} from "../../src/index.js";
import type { GpuMacros } from "../../src/lint/macros.js";
import { RUNTIME, TARGETS, temporaryFolder } from "../kit.js";

const PACKAGES = join(RUNTIME, "..");

/** What goes in front of every text. */
export const PRELUDE = writeCudaPrelude(join(TARGETS, "cuda"));

/** The CUDA text of Metal called "test.metal", less what stands around it. */
export function rewritten(text: string): string {
  const whole = writeCuda(text, "test.metal").text;
  const start = '#line 1 "test.metal"\n';
  return whole.slice(whole.indexOf(start) + start.length, whole.indexOf('\n#line 1 "entries of'));
}

/** The entries of a text called "test.metal". */
export function entries(text: string): string {
  const whole = writeCuda(text, "test.metal").text;
  return whole.slice(
    whole.indexOf("namespace metile_entries {\n") + "namespace metile_entries {\n".length,
    whole.lastIndexOf("}\n}\n"),
  );
}

/** A `.metal` file with its includes in place. */
export interface Inlined {
  readonly name: string;
  readonly source: Source;
  readonly loader: SourceLoader;
  readonly text: string;
}

/** The `.metal` files of all packages. */
export function shippedTexts(): Inlined[] {
  const loader = new SourceLoader(join(RUNTIME, "msl"));
  return readdirSync(PACKAGES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".metal") && !name.includes("node_modules") && name.split(/[\\/]/)[1] === "src")
    .sort()
    .map((name) => inlined(join(PACKAGES, name), loader));
}

/** The self tests of machines with a GPU. */
export function selfTests(): Inlined[] {
  const folder = fileURLToPath(new URL("gpu", import.meta.url));
  const loader = new SourceLoader(join(RUNTIME, "msl"));
  const names = readdirSync(folder).filter((name) => name.endsWith(".metal"));
  return names.map((name) => inlined(join(folder, name), loader));
}

function inlined(path: string, loader: SourceLoader): Inlined {
  const name = relative(PACKAGES, path).replaceAll("\\", "/");
  const source = loader.load(path, name);
  return { name, source, loader, text: inlineIncludes(source, loader) };
}

const compiler = findCompiler({ prefer: "zig" });

/** Whether there is a clang with a CUDA front end: zig's has one, and so has the system's. */
export const hasFrontEnd = compiler.kind !== "gcc";

const FLAGS = [
  ...[
    "-x",
    "cuda",
    "--cuda-gpu-arch=sm_90",
    "--cuda-device-only",
    "-nocudainc",
    "-nocudalib",
    "-nostdinc",
    "-std=c++17",
  ],
  ...[
    "-fsyntax-only",
    "-Wall",
    "-Werror",
    "-Wno-unknown-cuda-version",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
  ],
  ...["-include", fileURLToPath(new URL("nvrtc.h", import.meta.url))],
];

/**
 * Lets clang's CUDA front end read a text behind the prelude.
 *
 * @returns what it complains of, empty when it accepts the text
 */
export async function complaintsOf(cudaText: string, macros: GpuMacros = {}): Promise<string> {
  const folder = temporaryFolder();
  const path = join(folder, "text.cu");
  writeFileSync(path, PRELUDE + cudaText);
  const program = compiler.kind === "zig" ? [compiler.command, "clang"] : [compiler.command];
  const defined = Object.entries(macros).map(([name, value]) => `-D${name}=${value}`);
  try {
    await runCommand({ line: [...program, ...FLAGS, ...defined, path], environment: compiler.environment });
    return "";
  } catch (error) {
    if (error instanceof CompileError) return error.diagnostics;
    throw error;
  }
}
