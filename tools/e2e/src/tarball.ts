import { gunzipSync } from "node:zlib";

const block = 512;

const field = (header: Buffer, start: number, length: number): string =>
  header.toString("utf8", start, start + length).replace(/\0.*$/s, "");

/**
 * The files of a published package.
 *
 * @param tarball - A gzipped tar archive, as registries serve it.
 * @returns Path inside the package (`package/` removed) to content.
 */
export function readTarball(tarball: Buffer): Map<string, Buffer> {
  const archive = gunzipSync(tarball);
  const files = new Map<string, Buffer>();
  for (let offset = 0; offset + block <= archive.length; ) {
    const header = archive.subarray(offset, offset + block);
    const name = field(header, 0, 100);
    if (name === "") break;
    const prefix = field(header, 345, 155);
    const size = Number.parseInt(field(header, 124, 12), 8);
    const path = (prefix === "" ? name : `${prefix}/${name}`).replace(/^package\//, "");
    const isFile = header[156] === 0 || header[156] === "0".charCodeAt(0);
    offset += block;
    if (isFile) files.set(path, archive.subarray(offset, offset + size));
    offset += Math.ceil(size / block) * block;
  }
  return files;
}
