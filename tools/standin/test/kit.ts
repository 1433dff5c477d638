import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCompiler, hostTarget, runCommandSync } from "@metile/compiler";
import { type StandinOptions, standinEnvironment } from "../src/index.js";

const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, "..", "node_modules", ".cache", "metile-standin");
const zigTargets = { "linux-x64": "x86_64-linux-gnu.2.28", "linux-arm64": "aarch64-linux-gnu.2.28" };

/** The host program of the tests, compiled when its text is new. */
function hostProgram(): string {
  return build("host", ["-pthread", "-ldl"]);
}

/** A module as the compile server would answer with. */
function kernelModule(): string {
  return build("module", ["-shared"]);
}

/** Compiles the C++ files of a folder beside this file; kept by the hash of their text. */
function build(folder: string, linking: readonly string[]): string {
  const compiler = findCompiler();
  const files = readdirSync(join(here, folder)).filter((name) => /\.(cc|h)$/.test(name));
  const digest = createHash("sha256").update(compiler.identity);
  for (const name of files.sort()) digest.update(readFileSync(join(here, folder, name))).update("\0");
  const output = join(cache, `${folder}-${digest.digest("hex").slice(0, 32)}`);
  if (existsSync(output)) return output;
  mkdirSync(cache, { recursive: true });
  const own = compiler.kind === "zig" ? ["-target", zigTargets[hostTarget() as keyof typeof zigTargets]] : [];
  const run = (...words: readonly string[]) =>
    runCommandSync({
      line: [compiler.command, ...compiler.prefix, ...own, ...words],
      environment: compiler.environment,
    });
  const work = mkdtempSync(join(cache, "partial-"));
  try {
    const objects = files
      .filter((name) => name.endsWith(".cc"))
      .map((name) => {
        const object = join(work, `${name}.o`);
        const checks = compiler.kind === "zig" ? ["-fno-sanitize=undefined"] : ["-Wall", "-Wextra"];
        run("-std=c++17", "-O1", "-g0", "-fPIC", ...checks, "-c", join(here, folder, name), "-o", object);
        return object;
      });
    // Linked apart, as the stand-in is: with other flags zig would build its C++ library once more.
    run("-s", ...objects, ...linking, "-o", join(work, "output"));
    renameSync(join(work, "output"), output);
  } finally {
    rmSync(work, { recursive: true });
  }
  return output;
}

/** What a case did. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  /** Standard error: where the stand-in says what was wrong. */
  readonly errors: string;
}

/** Command line of a compile server that answers every text with the tests' module. */
export function testServer(...more: readonly string[]): string[] {
  return [process.execPath, join(here, "module", "server.mjs"), kernelModule(), ...more];
}

/** Runs a case of the host program in a process of its own. */
export function runCase(name: string, options: StandinOptions = {}, input = ""): Outcome {
  const environment = standinEnvironment({ server: testServer(), ...options });
  const { status, signal, stdout, stderr } = spawnSync(hostProgram(), [name], {
    env: { ...process.env, ...environment },
    encoding: "utf8",
    input,
    timeout: 60_000,
  });
  return { status, signal, output: stdout, errors: stderr };
}

/** Names of all cases in a file of the host program. */
export function casesOf(file: string): string[] {
  const text = readFileSync(join(here, "host", file), "utf8");
  return [...text.matchAll(/^CASE\((\w+)\)/gm)].map(([, name]) => name as string);
}

/** Compiles what the tests run; a test file does it before its first test. */
export function prepare(): void {
  hostProgram();
  kernelModule();
}
