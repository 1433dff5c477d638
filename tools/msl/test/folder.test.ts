import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePrivateFolder } from "../src/runtime/folder.js";

it("a cache folder is made with those above it, for its owner alone", () => {
  const root = mkdtempSync(join(tmpdir(), "metile-folder-"));
  try {
    const folder = join(root, "one", "two");
    makePrivateFolder(folder);
    makePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it.runIf(process.platform === "linux")("a folder that cannot be made is an error, not an endless search", () => {
  expect(() => makePrivateFolder("/proc/nowhere/cache")).toThrow(/cannot be made; name another one in METILE_CACHE/);
  expect(() => makePrivateFolder("/etc/passwd")).toThrow(/\/etc\/passwd is not a folder/);
});
