import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** In a build: the Python scripts and the kernels' texts, by their names. See tsup.config.ts. */
declare const METILE_BENCH_ASSETS: Readonly<Record<string, string>> | undefined;

const inside = typeof METILE_BENCH_ASSETS === "undefined" ? {} : METILE_BENCH_ASSETS;

// This file is one folder deep both as a source and when it is built.
const folder = fileURLToPath(new URL("..", import.meta.url));

/** Whether this runs from the repository; elsewhere a build is a single file with all that it needs inside. */
const atHome = existsSync(resolve(folder, "python/torch_peer.py"));

const require = createRequire(import.meta.url);

let unpacked: string | undefined;

/** The path of a Python script; a file on its own writes what it carries to a temporary folder. */
export function pythonScript(name: string): string {
  if (atHome) return resolve(folder, "python", name);
  if (unpacked === undefined) {
    const made = mkdtempSync(join(tmpdir(), "metile-bench-"));
    for (const [file, text] of Object.entries(inside)) if (file.endsWith(".py")) writeFileSync(join(made, file), text);
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    unpacked = made;
  }
  return join(unpacked, name);
}

/** The text of a kernel file of the norms: "rms_norm.metal". */
export function kernelText(file: string): string {
  const text = inside[file];
  if (text !== undefined) return text;
  const packageFolder = dirname(require.resolve("@metile/norms/package.json"));
  return readFileSync(join(packageFolder, "src", file.replace(/\.metal$/, "").replaceAll("_", "-"), file), "utf8");
}

/** The version of the norms that are measured. */
export function normsVersion(): string {
  return require("@metile/norms/package.json").version as string;
}

/** Where results go by default, and where pages do. */
export const resultsFolder = atHome ? resolve(folder, "results") : process.cwd();
export const docsFolder = atHome ? resolve(folder, "../../docs/benchmarks") : process.cwd();

/** A path from where the caller is: turbo starts the bench in its own folder and tells the one it was started in. */
export function locate(path: string): string {
  return resolve(process.env.TURBO_INVOCATION_DIR ?? process.cwd(), path);
}
