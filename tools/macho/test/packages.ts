import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/run/root.js";

/** The workspace around this package. */
export const workspace = join(packageRoot(), "..", "..");

/** The names that the addon takes from macOS's C++ library. */
export const stub = join(workspace, "packages", "runtime", "native", "darwin", "libc++.1.tbd");

/** The addon of a platform, as the build left it. */
export const addonOf = (platform: string) =>
  join(workspace, "packages", "runtime", "npm", platform, "metile_runtime.node");

/** Every library of CPU kernels for darwin-arm64, with its namesake for linux-arm64. */
export function kernelLibraries(): { name: string; path: string; sibling: string }[] {
  const packages = join(workspace, "packages");
  return readdirSync(packages).flatMap((folder) => {
    const libraries = join(packages, folder, "cpu");
    if (!existsSync(libraries)) return [];
    return readdirSync(libraries)
      .filter((name) => name.endsWith(".dylib"))
      .map((name) => ({
        name,
        path: join(libraries, name),
        sibling: join(libraries, name.replace("darwin-arm64.dylib", "linux-arm64.so")),
      }));
  });
}

/** Symbols that an ELF library for 64 bits exports. */
export function elfExports(path: string): string[] {
  const file = readFileSync(path);
  const table = Number(file.readBigUInt64LE(40));
  const size = file.readUInt16LE(58);
  const sections = Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const at = table + index * size;
    const number = (offset: number) => Number(file.readBigUInt64LE(at + offset));
    return { type: file.readUInt32LE(at + 4), offset: number(24), bytes: number(32), link: file.readUInt32LE(at + 40) };
  });
  const symbols = sections.find(({ type }) => type === 11); // SHT_DYNSYM
  const strings = sections[symbols?.link ?? -1];
  if (symbols === undefined || strings === undefined) throw new Error(`${path} has no dynamic symbols`);
  const names: string[] = [];
  for (let at = symbols.offset; at < symbols.offset + symbols.bytes; at += 24) {
    const defined = file.readUInt16LE(at + 6) !== 0;
    const global = file.readUInt8(at + 4) >> 4 !== 0;
    const name = strings.offset + file.readUInt32LE(at);
    if (defined && global) names.push(file.toString("latin1", name, file.indexOf(0, name)));
  }
  return names.sort();
}
