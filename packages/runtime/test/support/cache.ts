import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** An empty folder for kernels that this file compiles, so that they are compiled and not found; removed at the end. */
export function ownKernelCache(): string {
  const folder = mkdtempSync(join(tmpdir(), "metile-kernels-"));
  const before = process.env.METILE_CACHE;
  process.env.METILE_CACHE = folder;
  afterAll(() => {
    if (before === undefined) delete process.env.METILE_CACHE;
    else process.env.METILE_CACHE = before;
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
