import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A compiled library and what it took. */
export interface CachedLibrary {
  readonly path: string;
  readonly bytes: number;
  /** Processor seconds of the build that made it. */
  readonly seconds: number;
}

/** Libraries that stay; those used longest ago go first. */
const KEPT = 40;

/** Libraries by hash of everything that decides their bytes. Safe for processes that share the folder. */
export class LibraryCache {
  readonly #folder: string;
  readonly #extension: string;

  /** @param extension - "so" or "dylib" */
  constructor(folder: string, extension: string) {
    this.#folder = folder;
    this.#extension = extension;
  }

  /** Path that a library of a key has, whether it is there or not. */
  path(key: string): string {
    return join(this.#folder, `${key}.${this.#extension}`);
  }

  /** The library of a key, marked as used, or null. */
  find(key: string): CachedLibrary | null {
    const path = this.path(key);
    const facts = `${path}.json`;
    if (!existsSync(path) || !existsSync(facts)) return null;
    const now = new Date();
    utimesSync(path, now, now);
    const { seconds } = JSON.parse(readFileSync(facts, "utf8")) as { seconds: number };
    return { path, seconds, bytes: statSync(path).size };
  }

  /** Notes what the library of a key took, and removes those used longest ago. */
  record(key: string, seconds: number): void {
    writeAtomically(`${this.path(key)}.json`, JSON.stringify({ seconds }));
    const libraries = readdirSync(this.#folder)
      .filter((name) => name.endsWith(`.${this.#extension}`))
      .map((name) => join(this.#folder, name))
      .map((path) => ({ path, used: statSync(path).mtimeMs }))
      .sort((a, b) => b.used - a.used);
    for (const { path } of libraries.slice(KEPT)) {
      rmSync(path, { force: true });
      rmSync(`${path}.json`, { force: true });
    }
  }
}

/** Hash of texts, each apart from the next. */
export function hashOf(...texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest("hex");
}

/** Hash of the names and contents of all files in a folder. */
export function hashOfFolder(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return hashOf(...files.flatMap((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Writes a file in one step, so that readers see the old or the new one. */
function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** Writes a file unless it has that text already; tells whether it wrote. */
export function writeIfChanged(folder: string, name: string, text: string): boolean {
  const path = join(folder, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
  mkdirSync(folder, { recursive: true });
  writeAtomically(path, text);
  return true;
}

/** Copies a file unless the target has the same bytes already. */
export function copyIfChanged(from: string, to: string): void {
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return;
  const temporary = `${to}.${process.pid}.tmp`;
  copyFileSync(from, temporary);
  renameSync(temporary, to);
}
