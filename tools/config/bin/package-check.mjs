#!/usr/bin/env node
/** Packs the package in the working directory and checks the tarball: exports with publint, types with attw. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const commands = join(import.meta.dirname, "../node_modules/.bin");
const folder = mkdtempSync(join(tmpdir(), "metile-pack-"));

/** True when the command ended with 0. */
function succeeds(file, args) {
  const { error, status } = spawnSync(file, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (error) throw error;
  return status === 0;
}

try {
  // pnpm replaces workspace and catalog versions here as it does when it publishes.
  if (!succeeds("pnpm", ["pack", "--pack-destination", folder])) throw new Error("pnpm pack failed");
  const tarball = join(folder, readdirSync(folder)[0]);
  const exports = succeeds(join(commands, "publint"), ["run", tarball, "--strict"]);
  const types = succeeds(join(commands, "attw"), [
    tarball,
    "--profile",
    "esm-only",
    "--format",
    "ascii",
    "--no-summary",
    "--no-emoji",
  ]);
  process.exitCode = exports && types ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
