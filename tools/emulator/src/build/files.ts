import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** A short hash of a text. */
export function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

const hashes = new Map<string, string>();

/** Of the names and texts of all files below a folder; read once a process. */
export function hashOfFolder(folder: string): string {
  const known = hashes.get(folder);
  if (known !== undefined) return known;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, readFileSync(path, "utf8")];
  });
  const made = hash(JSON.stringify(texts.sort()));
  hashes.set(folder, made);
  return made;
}

/** Makes a file unless it is there. It appears all at once, so that several may ask for it at the same time. */
export async function once(path: string, make: (temporary: string) => Promise<unknown>): Promise<string> {
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await make(temporary);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return path;
}
