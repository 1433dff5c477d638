import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";
import { type KernelFile, readKernelFile } from "../kernel/file.js";
import { SourceLoader } from "../preprocess/include.js";
import { errorAt } from "../text/token.js";
import { camelCase } from "./bindings.js";

/** Name of the package that brings headers and targets. */
const RUNTIME = "@metile/runtime";

/** A package with kernels, its sources read. */
export interface KernelPackage {
  readonly folder: string;
  /** `norms` of @metile/norms. */
  readonly family: string;
  /** Module from which generated code takes defineKernels. */
  readonly runtimeModule: string;
  /** Folder of `metal_stdlib` and `metile_launch.h` of CPUs. */
  readonly target: string;
  readonly loader: SourceLoader;
  readonly files: readonly KernelFile[];
}

/**
 * Reads a package's `src/**\/*.metal`.
 *
 * @param runtime - folder of @metile/runtime @default the one that the package resolves
 * @throws MslError for anything wrong in a kernel, and for two kernels or files of one name
 */
export function readPackage(folder: string, runtime = findRuntime(folder)): KernelPackage {
  const name = packageName(folder);
  const loader = new SourceLoader(join(runtime, "msl"));
  const files = metalFiles(join(folder, "src")).map((path) => {
    const source = loader.load(path, relative(folder, path).split(sep).join("/"));
    return readKernelFile(source, loader);
  });
  refuseNamesakes(files);
  return {
    folder,
    family: name.slice(name.indexOf("/") + 1),
    runtimeModule: name === RUNTIME ? "../src/kernel/index.js" : `${RUNTIME}/family`,
    target: join(runtime, "targets", "cpu"),
    loader,
    files,
  };
}

/** The folder of @metile/runtime as seen from a package, which may be the runtime itself. */
export function findRuntime(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) {
      if (packageName(at) === RUNTIME) return at;
      return dirname(createRequire(join(at, "package.json")).resolve(`${RUNTIME}/package.json`));
    }
    if (at === dirname(at)) throw new Error(`${folder} is in no package; name the runtime's folder by --runtime`);
  }
}

function packageName(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name: string }).name;
}

function metalFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".metal"))
    .sort()
    .map((name) => join(folder, name));
}

/** A package's kernels share a library and an object of functions, its texts an object of file names. */
function refuseNamesakes(files: readonly KernelFile[]): void {
  const kernels = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { source, syntax } of files) {
    const file = basename(source.name);
    const namesake = names.get(file);
    if (namesake !== undefined) {
      throw errorAt(
        { source, start: 0 },
        `${namesake} has the same file name; a package's .metal files need different ones`,
      );
    }
    names.set(file, source.name);
    for (const { name } of syntax) {
      const other = kernels.get(camelCase(name.text));
      if (other !== undefined) throw errorAt(name, `${other} has a kernel of the same name`);
      kernels.set(camelCase(name.text), source.name);
    }
  }
}
