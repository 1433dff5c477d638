import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of this package, from `src/*` and `dist/` alike. */
const PACKAGE = fileURLToPath(new URL(/\/src\/build\/[^/]*$/.test(import.meta.url) ? "../.." : "..", import.meta.url));

/** Sources of the machine. */
export const MACHINE = join(PACKAGE, "runtime");

/** Headers that a kernel's text is compiled with, before those of the CPU target. */
export const TARGET = join(PACKAGE, "target");

/** Where what was compiled is kept: `node_modules/.cache/metile-emulator` of this package. */
export const DEFAULT_CACHE = join(PACKAGE, "node_modules", ".cache", "metile-emulator");

/** Folder of @metile/runtime. */
export const RUNTIME = join(PACKAGE, "../../packages/runtime");
