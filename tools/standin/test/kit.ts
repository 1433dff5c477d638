import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
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
  return build("module", ["-shared", "-fPIC"]);
}

/** Compiles the C++ files of a folder beside this file; kept by the hash of their text. */
function build(folder: string, flags: readonly string[]): string {
  const compiler = findCompiler();
  const files = readdirSync(join(here, folder)).filter((name) => /\.(cc|h)$/.test(name));
  const texts = files.sort().map((name) => readFileSync(join(here, folder, name)));
  const digest = createHash("sha256").update(compiler.identity);
  for (const text of texts) digest.update(text).update("\0");
  const output = join(cache, `${folder}-${digest.digest("hex").slice(0, 32)}`);
  if (existsSync(output)) return output;
  mkdirSync(cache, { recursive: true });
  const sources = files.filter((name) => name.endsWith(".cc")).map((name) => join(here, folder, name));
  const target = zigTargets[hostTarget() as keyof typeof zigTargets];
  const own = compiler.kind === "zig" ? ["-target", target, "-fno-sanitize=undefined"] : ["-Wall", "-Wextra"];
  const temporary = `${output}.${randomUUID()}`;
  const line = [compiler.command, ...compiler.prefix, ...own, "-std=c++17", "-O1", ...sources, ...flags];
  runCommandSync({ line: [...line, "-o", temporary], environment: compiler.environment });
  renameSync(temporary, output);
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
