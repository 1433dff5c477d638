import { createHash } from "node:crypto";
import { textAt } from "./text.js";

/** What an ad-hoc signature says and whether it is true. */
export interface Signature {
  readonly identifier: string;
  /** The flag of signatures without a certificate. */
  readonly adHoc: boolean;
  /** How much of the file it covers, from the start. */
  readonly codeBytes: number;
  readonly pages: number;
  /** Numbers of pages whose bytes are not those that were signed. */
  readonly changedPages: readonly number[];
  /** The part of the file that may be executed. */
  readonly text: { readonly offset: number; readonly bytes: number };
}

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;

/**
 * Reads a signature and computes the hash of every page again.
 *
 * @throws RangeError when it is no signature with SHA-256 hashes
 */
export function readSignature(file: Buffer, blob: Buffer): Signature {
  if (blob.readUInt32BE(0) !== SUPER_BLOB) throw new RangeError("the signature has no super blob");
  const directory = codeDirectory(blob);
  const hashBytes = directory.readUInt8(36);
  const hashKind = directory.readUInt8(37);
  if (hashBytes !== 32 || hashKind !== 2) throw new RangeError("the signature's hashes are not SHA-256");
  const pageBytes = 2 ** directory.readUInt8(39);
  const pages = directory.readUInt32BE(28);
  const codeBytes = directory.readUInt32BE(32);
  const hashes = directory.readUInt32BE(16);
  if (pages !== Math.ceil(codeBytes / pageBytes)) throw new RangeError(`${pages} hashes for ${codeBytes} bytes`);
  const changedPages = Array.from({ length: pages }, (_, page) => page).filter((page) => {
    const bytes = file.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, codeBytes));
    const recorded = directory.subarray(hashes + page * hashBytes, hashes + (page + 1) * hashBytes);
    return !createHash("sha256").update(bytes).digest().equals(recorded);
  });
  return {
    identifier: textAt(directory, directory.readUInt32BE(20)),
    adHoc: (directory.readUInt32BE(12) & 2) !== 0,
    codeBytes,
    pages,
    changedPages,
    text: {
      offset: Number(directory.readBigUInt64BE(64)),
      bytes: Number(directory.readBigUInt64BE(72)),
    },
  };
}

function codeDirectory(blob: Buffer): Buffer {
  for (let index = 0; index < blob.readUInt32BE(8); index++) {
    if (blob.readUInt32BE(12 + index * 8) !== 0) continue;
    const directory = blob.subarray(blob.readUInt32BE(16 + index * 8));
    if (directory.readUInt32BE(0) === CODE_DIRECTORY) return directory;
  }
  throw new RangeError("the signature has no code directory");
}
