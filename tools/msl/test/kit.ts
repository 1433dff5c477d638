import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { type KernelFile, MslError, readKernelFile, Source, SourceLoader } from "../src/index.js";

/** Folder of @metile/runtime. */
export const RUNTIME = fileURLToPath(new URL("../../../packages/runtime", import.meta.url));

/** The runtime's folder of targets. */
export const TARGETS = join(RUNTIME, "targets");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with files by name, which is removed when the file's tests end. */
export function temporaryFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "metile-msl-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A kernel file that was read from text, and the loader that knows its headers. */
export interface ReadText {
  readonly file: KernelFile;
  readonly loader: SourceLoader;
}

/**
 * Reads a text as "test.metal".
 *
 * @param headers - shared headers by name: "metile/row.h"
 */
export function read(text: string, headers: Readonly<Record<string, string>> = {}): ReadText {
  const loader = new SourceLoader(temporaryFolder(headers));
  return { file: readKernelFile(loader.add(new Source("test.metal", text)), loader), loader };
}

/** The message with which reading a text fails. */
export function complaint(text: string, headers: Readonly<Record<string, string>> = {}): string {
  try {
    read(text, headers);
  } catch (error) {
    if (error instanceof MslError) return error.message;
    throw error;
  }
  return "no complaint";
}

/** A kernel around a list of parameters. */
export function kernelWith(parameters: string, body = ""): string {
  return `kernel void f(${parameters}) {${body}}\n`;
}
