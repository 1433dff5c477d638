import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { planNamespaces } from "./cpp/variant.js";
import { exportCuda } from "./cuda/export.js";
import { readKernelFile } from "./kernel/file.js";
import { lintPackage } from "./lint/lint.js";
import { buildPackage } from "./package/build.js";
import { findRuntime } from "./package/package.js";
import { SourceLoader } from "./preprocess/include.js";

const USAGE = `metile-msl build [--package DIR] [--runtime DIR] [--levels v3,v4,arm64,host]
  Builds a package's src/**/*.metal: generated/index.ts and the libraries in cpu/.
metile-msl lint [--package DIR] [--runtime DIR]
  Checks a package's src/**/*.metal for what Apple's compiler rejects, in every form that GPUs meet.
metile-msl check FILE [--runtime DIR]
  Prints the kernels of one file as JSON, with the entries of their variants.
metile-msl cuda FILE… --out DIR [--runtime DIR]
  Writes the CUDA C++ of files for NVRTC, prelude included, and texts.json with their kernels and variants.`;

/** Runs the command line; gives the exit status: 2 when the call is wrong, and what fails is thrown. */
export async function main(words: readonly string[]): Promise<number> {
  const call = readCall(words);
  if (typeof call === "string") {
    console.error(`${call}\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = call;
  const [command, file, ...more] = positionals;
  const runtime = values.runtime === undefined ? undefined : resolve(values.runtime);
  if (values.help) return print(USAGE);
  if (command === "build" && file === undefined) {
    await buildPackage({
      folder: resolve(values.package),
      log: (line) => console.log(line),
      ...(runtime !== undefined && { runtime }),
      ...(values.levels !== undefined && { levels: values.levels.split(",") }),
    });
    return 0;
  }
  if (command === "lint" && file === undefined) return lint(resolve(values.package), runtime);
  if (command === "check" && file !== undefined && more.length === 0) return print(check(file, runtime));
  if (command === "cuda" && file !== undefined && values.out !== undefined) {
    const texts = exportCuda([file, ...more], runtime ?? findRuntime(dirname(resolve(file))), values.out);
    return print(`${texts.length} texts in ${values.out}`);
  }
  console.error(USAGE);
  return 2;
}

/** The options and words of a call, or what is wrong with its options. */
function readCall(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        package: { type: "string", default: "." },
        runtime: { type: "string" },
        levels: { type: "string" },
        out: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return (error as Error).message;
  }
}

function print(text: string): number {
  console.log(text);
  return 0;
}

async function lint(folder: string, runtime?: string): Promise<number> {
  const { files, views, errors } = await lintPackage({ folder, ...(runtime !== undefined && { runtime }) });
  for (const { message } of errors) console.error(`${message}\n`);
  const found = errors.length === 1 ? "1 mistake" : `${errors.length || "no"} mistakes`;
  console.log(`${basename(folder)}: ${files} ${files === 1 ? "file" : "files"} in ${views} forms, ${found}`);
  return errors.length === 0 ? 0 : 1;
}

function check(file: string, runtime?: string): string {
  const path = resolve(file);
  const loader = new SourceLoader(resolve(runtime ?? findRuntime(dirname(path)), "msl"));
  const kernels = readKernelFile(loader.load(path, file), loader);
  const entries = planNamespaces(kernels).flatMap(({ variants }) => variants.map(({ entry }) => entry));
  return JSON.stringify({ kernels: kernels.kernels, entries }, null, 2);
}
