import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const isSource = /\/src\/build\/[^/]*$/.test(import.meta.url);

/** Folder of this package. */
const PACKAGE = fileURLToPath(new URL(isSource ? "../.." : "..", import.meta.url));

/** The code that makes C++ of kernels: what it makes is kept no longer than it stays the same. */
export const WRITERS: readonly string[] = [
  join(PACKAGE, isSource ? "src" : "dist"),
  join(dirname(createRequire(import.meta.url).resolve("@metile/msl/package.json")), "dist"),
];

/** Sources of the machine. */
export const MACHINE = join(PACKAGE, "runtime");

/** Headers that a kernel's text is compiled with, before those of the CPU target. */
export const TARGET = join(PACKAGE, "target");

/** Where what was compiled is kept: `node_modules/.cache/metile-emulator` of this package. */
export const DEFAULT_CACHE = join(PACKAGE, "node_modules", ".cache", "metile-emulator");

/** Folder of @metile/runtime. */
export const RUNTIME = join(PACKAGE, "../../packages/runtime");
