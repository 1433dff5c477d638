import { existsSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Where libraries made at run time are kept: `METILE_CACHE`, or `.cache/metile` in the home folder. */
export function defaultCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.METILE_CACHE || join(homedir(), ".cache", "metile");
}

/** Makes a folder and those above it. (Node's own recursive mkdir never returns for a path such as /proc/x.) */
function makeFolders(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`METILE_CACHE: ${folder} is not a folder`);
    return;
  }
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return; // another process was faster
    throw new Error(`the cache folder ${folder} cannot be made; name another one in METILE_CACHE`, { cause });
  }
}

/**
 * Makes a folder for code that will be loaded into this process: nobody but its owner may write there.
 *
 * @throws Error when it belongs to another user, or others may write into it
 */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  if (process.getuid === undefined) return; // no owners and modes here
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid()) {
    throw new Error(`${folder} belongs to another user; name a folder of your own in METILE_CACHE`);
  }
  if ((mode & 0o022) !== 0) {
    throw new Error(`others may write into ${folder}, and code is loaded from it; run: chmod go-w ${folder}`);
  }
}
