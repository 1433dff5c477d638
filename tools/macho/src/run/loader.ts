import { createHash } from "node:crypto";
import {
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
import { basename, dirname, join } from "node:path";
import { type Compiler, findCompiler, runCommand } from "@metile/compiler";
import { packageRoot } from "./root.js";

const TARGET = ["-target", "aarch64-linux-gnu.2.28"];
const FLAGS = [
  ...["-std=c++17", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"],
  "-fno-sanitize=undefined",
];

/**
 * Makes the Node addon for linux-arm64 that loads the darwin-arm64 one. Kept by the hash of all that it is made of.
 *
 * @param stub - the list of names that the addon takes from macOS's C++ library
 * @returns path of the addon
 * @throws Error when there is no zig, which alone reaches another processor
 */
export async function buildLoader(stub: string): Promise<string> {
  const compiler = findCompiler({ prefer: "zig" });
  const folder = join(packageRoot(), "loader");
  const cache = join(packageRoot(), "node_modules", ".cache", "metile", "loader");
  const names = cxxNames(readFileSync(stub, "utf8"));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const contents = files.filter((file) => /\.(cc|h)$/.test(file)).map((file) => readFileSync(join(folder, file)));
  const digest = createHash("sha256").update(compiler.identity).update(FLAGS.join(" ")).update(names);
  for (const content of contents) digest.update(content);
  const output = join(cache, `${digest.digest("hex").slice(0, 24)}.node`);
  if (existsSync(output)) return output;

  mkdirSync(cache, { recursive: true });
  const working = mkdtempSync(join(cache, "partial-"));
  try {
    writeFileSync(join(working, "cxx_names.inc"), names);
    const sources = files.filter((file) => file.endsWith(".cc")).map((file) => join(folder, file));
    const objects = await compileAll(compiler, sources, working);
    const linked = join(working, basename(output));
    const map = join(working, "exports.map");
    writeFileSync(map, "{ global: napi_register_module_v1; node_api_module_get_api_version_v1; local: *; };\n");
    const link = ["-shared", "-s", `-Wl,--version-script=${map}`, "-Wl,--build-id=none", ...objects, "-o", linked];
    await runCommand({ line: [compiler.command, "c++", ...TARGET, ...link], environment: compiler.environment });
    renameSync(linked, output);
  } finally {
    rmSync(working, { recursive: true });
  }
  return output;
}

/** Two at a time: each takes a processor. */
async function compileAll(compiler: Compiler, sources: readonly string[], working: string): Promise<string[]> {
  const headers = dirname(createRequire(import.meta.url).resolve("node-api-headers/package.json"));
  const includes = ["-isystem", join(headers, "include"), "-I", working];
  const objects = sources.map((source) => join(working, `${basename(source, ".cc")}.o`));
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < sources.length; index = next++) {
      const files = ["-c", sources[index] as string, "-o", objects[index] as string];
      const line = [compiler.command, "c++", ...TARGET, ...FLAGS, ...includes, ...files];
      await runCommand({ line, environment: compiler.environment });
    }
  };
  await Promise.all([worker(), worker()]);
  return objects;
}

/**
 * One line for each name of the stub: the symbol of the loader that stands for it. Strings lie differently in memory on
 * macOS; what works on them is compiled a second time, in the namespace `__apple`.
 */
export function cxxNames(stub: string): string {
  const names = [...stub.matchAll(/'(_[^']+)'/g)].map(([, name]) => name as string);
  return names
    .map((name, index) => {
      const symbol = name.slice(1);
      const ofStrings = /12basic_string|9to_string|plIcNS_/.test(symbol);
      return `NAME(${index}, "${ofStrings ? symbol.replace("St3__1", "St7__apple") : symbol}", "${name}")\n`;
    })
    .join("");
}
