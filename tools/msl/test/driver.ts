import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Compiler,
  compileLibrarySync,
  findCompiler,
  hostLevels,
  hostTarget,
  runCommandSync,
} from "@metile/compiler";
import { writeLibrary } from "../src/index.js";
import { type ReadText, TARGETS, temporaryFolder } from "./kit.js";

let driver: string | undefined;

/** The program of fixtures/driver.c, compiled once a process. */
function buildDriver(): string {
  if (driver !== undefined) return driver;
  const { command, kind, environment } = findCompiler();
  const source = fileURLToPath(new URL("fixtures/driver.c", import.meta.url));
  const program = join(temporaryFolder(), "driver");
  const language = kind === "zig" ? ["cc"] : ["-x", "c"];
  const parameters = ["-O1", `-I${join(TARGETS, "cpu")}`, source, "-o", program, "-ldl"];
  runCommandSync({ line: [command, ...language, ...parameters], environment });
  driver = program;
  return program;
}

/** Compiles a kernel file for this machine; gives the library's path. */
export function compileText({ file, loader }: ReadText, compiler: Compiler = findCompiler()): string {
  const folder = temporaryFolder({ "kernels.cpp": writeLibrary([file], loader).text });
  const output = join(folder, "kernels.so");
  const target = hostTarget();
  const level = hostLevels().at(-1);
  if (target === null || level === undefined) throw new Error("no CPU libraries are made for this machine");
  compileLibrarySync({
    compiler,
    target,
    level,
    output,
    source: join(folder, "kernels.cpp"),
    includes: [join(TARGETS, "cpu")],
  });
  return output;
}

/** How {@link runEntry} launches. */
export interface Grid {
  readonly groups: readonly [number, number, number];
  /** Ranges into which the launch is split. */
  readonly parts: number;
}

/** Runs an entry of a library; arguments, by index, are changed in place. */
export function runEntry(
  library: string,
  entry: string,
  grid: Grid,
  values: Readonly<Record<number, ArrayBufferView>>,
): void {
  const folder = temporaryFolder();
  const files = Object.entries(values).map(([index, view]) => {
    const path = join(folder, index);
    writeFileSync(path, bytesOf(view));
    return { index, path, view };
  });
  const words = [...grid.groups, grid.parts].map(String);
  const buffers = files.flatMap(({ index, path }) => [index, path]);
  runCommandSync({ line: [buildDriver(), library, entry, ...words, ...buffers], environment: {} });
  for (const { path, view } of files) bytesOf(view).set(readFileSync(path));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
