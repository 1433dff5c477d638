#!/usr/bin/env node
// Builds the native addon into npm/<platform>/metile_runtime.node.
//
//   node scripts/build-native.mjs                        for this machine
//   node scripts/build-native.mjs --target linux-arm64   for another one, or "all"; needs zig
//   node scripts/build-native.mjs --target reachable     for all that the compiler can make: without zig, this machine's
//
// Objects and addons are kept by the hash of what they are made of, so that a build without changes takes no time.

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
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { appleLinkArguments, findCompiler, hostTarget, runCommand, trimMachO } from "@metile/compiler";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const native = join(root, "native");
const fileName = "metile_runtime.node";
/** Names of macOS's own C++ library, for a machine without it. */
const appleLibrary = join(native, "darwin", "libc++.1.tbd");

/** The oldest systems that the addon is made for: glibc 2.28 (2018) and macOS 13. */
const zigTargets = {
  "linux-x64": "x86_64-linux-gnu.2.28",
  "linux-arm64": "aarch64-linux-gnu.2.28",
  "darwin-arm64": "aarch64-macos.13.0",
};

const { values } = parseArgs({ options: { target: { type: "string", default: "host" } } });
const host = hostTarget();
const compiler = findCompiler({ resolveFrom: [fileURLToPath(import.meta.url)] });
const targets = chosenTargets(values.target);
const cache = join(workspace(), "node_modules", ".cache", "metile", "native");
mkdirSync(cache, { recursive: true });
const headers = includeFolders();
for (const target of targets) await build(target);

function chosenTargets(name) {
  if (name === "host" || (name === "reachable" && compiler.kind !== "zig")) return [host];
  if (name === "all" || name === "reachable") return Object.keys(zigTargets);
  if (!(name in zigTargets)) {
    fail(`There is no target ${name}; there are host, all, reachable, ${Object.keys(zigTargets).join(", ")}.`);
  }
  return [name];
}

async function build(target) {
  if (compiler.kind !== "zig" && target !== host) {
    fail(`${compiler.kind} builds for ${host} alone; ${target} needs zig (optional dependency of @metile/compiler).`);
  }
  const started = performance.now();
  const flags = compileFlags(target);
  const sources = sourcesOf(target);
  const objects = await inParallel(sources.sort(), (source) => compile(join(native, source), target, flags));
  const { parameters, inputs, trimmed } = linking(target);
  const parts = [compiler.identity, ...parameters, ...inputs, ...objects.map((object) => basename(object))];
  const addon = join(cache, `${hash(parts)}.node`);
  if (!existsSync(addon)) {
    const first =
      compiler.kind === "zig" && !trimmed
        ? "; with an empty cache zig first builds its C++ library, which takes a minute or two"
        : "";
    console.log(`${target}: linking${first}`);
    await run([...parameters, ...objects], addon, (linked) => {
      if (trimmed) writeFileSync(linked, trimMachO(readFileSync(linked), fileName));
    });
  }
  const output = join(root, "npm", target, fileName);
  mkdirSync(dirname(output), { recursive: true });
  // Never written in place: a process may have the old one loaded.
  copyFileSync(addon, `${output}.${process.pid}`);
  renameSync(`${output}.${process.pid}`, output);
  console.log(
    `${target}: ${relative(process.cwd(), output)} (${compiler.identity}, ${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
}

/** NVIDIA's devices are Linux's alone; `darwin/` says so in their place. */
function sourcesOf(target) {
  const others = target.startsWith("darwin") ? /^(cuda\/|node\/cuda\.cc$)/ : /^darwin\//;
  return readdirSync(native, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".cc") && !others.test(path));
}

async function compile(source, target, flags) {
  const contents = [...closure(source)].map((path) => readFileSync(path));
  const object = join(cache, `${hash([compiler.identity, headers.version, ...flags, ...contents])}.o`);
  if (existsSync(object)) return object;
  console.log(`${target}: ${relative(root, source)}`);
  await run([...compiler.prefix, ...flags, "-c", source], object);
  return object;
}

function compileFlags(target) {
  const common = [
    "-std=c++17",
    ...codeFlags(target),
    "-g0",
    "-fPIC",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
  ];
  const definitions = ["-DNAPI_VERSION=8", "-DNAPI_CPP_EXCEPTIONS", "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"];
  const own =
    compiler.kind === "zig"
      ? ["-target", zigTargets[target], "-fno-sanitize=undefined", "-Wno-unused-command-line-argument"]
      : ["-pthread", "-Wall", "-Wextra", "-Werror"];
  return [...own, ...common, ...definitions, ...headers.folders.flatMap((folder) => ["-isystem", folder])];
}

/**
 * On Apple silicon the addon is to stay small, and every function has a frame pointer, as Apple's ABI asks: zig leaves it
 * out otherwise, and would then describe each function in 40 bytes for the unwinder instead of 4.
 */
function codeFlags(target) {
  return target.startsWith("darwin") ? ["-Os", "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"] : ["-O2"];
}

/**
 * How a target is linked: arguments without objects and output, contents of other inputs, and whether the output is
 * to be trimmed. On Linux the addon names no C++ library: zig's and gcc's are linked in. macOS has one that never leaves.
 */
function linking(target) {
  if (target.startsWith("darwin")) {
    if (compiler.kind === "zig") {
      const parameters = [...appleLinkArguments("zig", fileName), "-fallow-shlib-undefined", appleLibrary];
      return { parameters, inputs: [readFileSync(appleLibrary)], trimmed: true };
    }
    return { parameters: [...appleLinkArguments(compiler.kind, fileName), "-undefined", "dynamic_lookup"], inputs: [] };
  }
  const shared = ["-shared", "-s", `-Wl,--version-script=${join(native, "exports.map")}`, "-Wl,--build-id=none"];
  if (compiler.kind === "zig") return { parameters: ["c++", "-target", zigTargets[target], ...shared], inputs: [] };
  const runtimes = compiler.kind === "gcc" ? ["-static-libstdc++", "-static-libgcc"] : [];
  return { parameters: [...shared, "-pthread", ...runtimes], inputs: [] };
}

/** Runs the compiler, and puts the output in its place once it is whole. */
async function run(parameters, output, finish = () => {}) {
  const folder = mkdtempSync(join(cache, "partial-"));
  try {
    const partial = join(folder, basename(output));
    await runCommand({
      line: [compiler.command, ...parameters, ...outputArguments(parameters, partial)],
      environment: compiler.environment,
    });
    finish(partial);
    renameSync(partial, output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** zig's own linker spells the option in another way than every compiler. */
function outputArguments(parameters, output) {
  return parameters[0] === "build-lib" ? [`-femit-bin=${output}`] : ["-o", output];
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

function includeFolders() {
  const require = createRequire(join(root, "package.json"));
  const manifests = ["node-addon-api", "node-api-headers"].map((name) => require.resolve(`${name}/package.json`));
  const versions = manifests.map((manifest) => JSON.parse(readFileSync(manifest, "utf8")).version);
  const [addonApi, apiHeaders] = manifests.map((manifest) => dirname(manifest));
  return { folders: [addonApi, join(apiHeaders, "include")], version: versions.join(" ") };
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
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  }
  return root;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
