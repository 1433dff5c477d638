import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.js";

/** Versions of Node, beside the one that runs the tests, that users have; npm has their executables. */
const versions = ["22.23.5", "24.22.3"];

/** Downloads are kept here between runs. */
const cache = join(import.meta.dirname, "../.cache/nodes");

/** A Node to install and run the packages with. */
export interface NodeRelease {
  name: string;
  /** Path of the executable, downloaded at the first call. */
  executable(): Promise<string>;
}

/** The executable of a version, from npm's package of this platform. */
async function download(version: string): Promise<string> {
  const folder = join(cache, `${process.platform}-${process.arch}-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  const executable = join(folder, "node_modules", name, "bin/node");
  if (existsSync(executable)) return executable;
  // Under another name until it is whole, so that an interrupted download is never used.
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  const args = ["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--no-package-lock"];
  await run("npm", [...args, "--prefix", partial, `${name}@${version}`], {
    directory: partial,
    environment: process.env,
  });
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return executable;
}

/** The Node of this process, then the others; npm has the others' executables for Linux alone. */
export const releases: NodeRelease[] = [
  { name: `Node ${process.versions.node}`, executable: async () => process.execPath },
  ...(process.platform === "linux" ? versions : []).map((version) => ({
    name: `Node ${version}`,
    executable: () => download(version),
  })),
];
