import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hash, hashOfFolder, once } from "../build/files.js";
import { MACHINE } from "../build/folders.js";
import { HEADERS, type Toolchain } from "./toolchain.js";

const COMMON = ["fibers", "threads", "module", "signals", "places", "accusations"];

/** What the two kinds of machine are made of. */
const SOURCES = {
  plain: [...COMMON, "direct"],
  watched: [...COMMON, "hooks", "memory", "copies"],
} as const;

/** Whether accesses are watched, or a kernel only runs. */
export type Mode = keyof typeof SOURCES;

/**
 * The machine as a library of its own: modules load it by its path, so that a process has one, however many modules.
 *
 * @returns its path
 */
export function makeMachine(toolchain: Toolchain, mode: Mode, cacheFolder: string): Promise<string> {
  const text = SOURCES[mode].map((name) => readFileSync(join(MACHINE, `${name}.cpp`), "utf8")).join("\n");
  const folders = [...HEADERS, MACHINE].map(hashOfFolder);
  const key = hash(JSON.stringify([text, toolchain.identity, folders]));
  return once(join(cacheFolder, `${mode}-${key}.so`), async (output) => {
    const source = `${output}.cpp`;
    const object = `${output}.o`;
    try {
      writeFileSync(source, text);
      const flags = ["-O2", ...(mode === "watched" ? ["-DMETILE_WATCHED"] : [])];
      await toolchain.compileMachine(source, object, flags, MACHINE);
      await toolchain.link([object], output);
    } finally {
      for (const path of [source, object]) rmSync(path, { force: true });
    }
  });
}
