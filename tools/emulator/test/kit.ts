import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../../packages", import.meta.url));

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder, which is removed when the file's tests end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "metile-emulator-test-"));
  folders.push(folder);
  return folder;
}

/** The text of a file below packages/. */
export function textOf(path: string): string {
  return readFileSync(join(PACKAGES, path), "utf8");
}

/** A text with one part replaced, which it must have. */
export function changed(text: string, part: string, replacement: string): string {
  if (!text.includes(part)) throw new Error(`the text has no ${JSON.stringify(part)}`);
  return text.replace(part, replacement);
}

/** A copy of the shared headers in which one file was changed. */
export function changedHeaders(file: string, part: string, replacement: string): string {
  const folder = temporaryFolder();
  cpSync(join(PACKAGES, "runtime/msl"), folder, { recursive: true });
  const path = join(folder, "metile", file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, changed(readFileSync(path, "utf8"), part, replacement));
  return folder;
}

/** The line of the first occurrence in a text, from 1. */
export function lineOf(text: string, part: string): number {
  const index = text.split("\n").findIndex((line) => line.includes(part));
  if (index === -1) throw new Error(`the text has no ${JSON.stringify(part)}`);
  return index + 1;
}
