#!/usr/bin/env node
// Builds the stand-in into dist/native/<target>/libmetile_standin.so.
//
//   node scripts/build-native.mjs                        for this machine
//   node scripts/build-native.mjs --target linux-arm64   for another one, or "all"; needs zig
//   node scripts/build-native.mjs --root FOLDER          of other native/ and facts/, into that folder's dist
//
// Objects and libraries are kept by the hash of what they are made of, so that a build without changes takes no time.

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findCompiler, hostTarget, runCommand } from "@metile/compiler";
import { writeFacts } from "./facts.mjs";

const fileName = "libmetile_standin.so";

const zigTargets = { "linux-x64": "x86_64-linux-gnu.2.28", "linux-arm64": "aarch64-linux-gnu.2.28" };

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: { target: { type: "string", default: "host" }, root: { type: "string", default: here } },
});
const root = values.root;
const native = join(root, "native");
const host = hostTarget();
if (values.target === "host" && !(host in zigTargets)) {
  console.log(`The stand-in is for Linux; ${host} has nothing to build.`);
  process.exit(0);
}
const targets = values.target === "all" ? Object.keys(zigTargets) : [values.target === "host" ? host : values.target];
for (const target of targets) {
  if (!(target in zigTargets))
    fail(`There is no target ${target}; there are host, all, ${Object.keys(zigTargets).join(", ")}.`);
}

const compiler = findCompiler({ resolveFrom: [fileURLToPath(import.meta.url)] });
if (compiler.kind !== "zig" && targets.some((target) => target !== host)) {
  fail(
    `${compiler.kind} builds for ${host} alone; the other targets need zig (optional dependency of @metile/compiler).`,
  );
}
writeFacts(join(root, "facts"), join(root, "generated"));
const cache = join(workspace(), "node_modules", ".cache", "metile", "standin");
mkdirSync(cache, { recursive: true });
for (const target of targets) await build(target);

async function build(target) {
  const started = performance.now();
  const sources = readdirSync(native, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".cc"));
  const objects = await inParallel(sources.sort(), (source) => compile(join(native, source), target));
  const link = linkArguments(target);
  const exported = readFileSync(join(native, "exports.map"));
  const key = hash([compiler.identity, exported, ...link, ...objects.map((object) => basename(object))]);
  const library = join(cache, `${key}.so`);
  if (!existsSync(library)) await run([...link, ...objects], library);
  const output = join(root, "dist", "native", target, fileName);
  mkdirSync(dirname(output), { recursive: true });
  // Never written in place: a process may have the old one loaded.
  copyFileSync(library, `${output}.${process.pid}`);
  renameSync(`${output}.${process.pid}`, output);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${target}: ${relative(process.cwd(), output)} (${compiler.identity}, ${seconds} s)`);
}

async function compile(source, target) {
  const flags = compileFlags(target);
  const contents = [...closure(source)].map((path) => readFileSync(path));
  const object = join(cache, `${hash([compiler.identity, ...flags, ...contents])}.o`);
  if (!existsSync(object)) await run([...compiler.prefix, ...flags, "-c", source], object);
  return object;
}

function compileFlags(target) {
  const common = ["-std=c++17", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden"];
  const own = compiler.kind === "zig" ? ["-target", zigTargets[target], "-fno-sanitize=undefined"] : ["-pthread"];
  return [...own, ...common, "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror"];
}

/** All but inputs and output. The library names no C++ library: zig's and gcc's are linked in. */
function linkArguments(target) {
  // Without symbols as the addon: zig keeps one C++ library for links with symbols and one for those without.
  const symbols = target === host ? [] : ["-s"];
  const shared = ["-shared", ...symbols, `-Wl,--version-script=${join(native, "exports.map")}`, "-Wl,--build-id=none"];
  if (compiler.kind === "zig") return ["c++", "-target", zigTargets[target], ...shared];
  return [...shared, "-pthread", ...(compiler.kind === "gcc" ? ["-static-libstdc++", "-static-libgcc"] : [])];
}

/** Runs the compiler, and puts the output in its place once it is whole. */
async function run(parameters, output) {
  const folder = mkdtempSync(join(cache, "partial-"));
  try {
    const partial = join(folder, basename(output));
    await runCommand({ line: [compiler.command, ...parameters, "-o", partial], environment: compiler.environment });
    renameSync(partial, output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A source and every file of ours that it includes. */
function closure(source, found = new Set()) {
  if (found.has(source)) return found;
  found.add(source);
  for (const [, name] of readFileSync(source, "utf8").matchAll(/^#include "([^"]+)"/gm)) {
    closure(join(dirname(source), name), found);
  }
  return found;
}

async function inParallel(items, work) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]);
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return results;
}

function hash(parts) {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part).update("\0");
  return digest.digest("hex").slice(0, 32);
}

function workspace() {
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  }
  return here;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
