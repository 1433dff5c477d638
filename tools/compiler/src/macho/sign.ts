import { createHash } from "node:crypto";

const PAGE_BYTES = 4096;
const HASH_BYTES = 32;
const CODE_DIRECTORY_BYTES = 88; // version 0x20400, which has the executable segment
const SUPER_BLOB_BYTES = 20; // with one entry

/** What a signature says about the code besides its hashes. */
export interface SignedCode {
  /** Name that the signature carries. */
  readonly identifier: string;
  /** Part of the file that holds executable code. */
  readonly text: { readonly offset: number; readonly bytes: number };
}

/** Length of the signature of a file that is `codeBytes` long without it. */
export function signatureBytes(codeBytes: number, identifier: string): number {
  return SUPER_BLOB_BYTES + directoryBytes(codeBytes, identifier);
}

/**
 * An ad-hoc signature as Apple's linker writes it: SHA-256 of every page, no certificate. Without one, macOS on arm64
 * kills a process that maps the code.
 */
export function adHocSignature(code: Buffer, { identifier, text }: SignedCode): Buffer {
  const pages = Math.ceil(code.length / PAGE_BYTES);
  const hashes = directoryBytes(code.length, identifier) - pages * HASH_BYTES;
  const signature = Buffer.alloc(signatureBytes(code.length, identifier));
  const words = [0xfade0cc0, signature.length, 1, 0, SUPER_BLOB_BYTES];
  for (const [index, word] of words.entries()) signature.writeUInt32BE(word, index * 4);

  const directory = signature.subarray(SUPER_BLOB_BYTES);
  const fields = [
    0xfade0c02,
    directory.length,
    0x20400, // version
    0x20002, // flags: ad hoc, signed by the linker
    hashes,
    CODE_DIRECTORY_BYTES, // the identifier
    0, // special slots
    pages,
    code.length,
  ];
  for (const [index, field] of fields.entries()) directory.writeUInt32BE(field, index * 4);
  directory.set([HASH_BYTES, 2 /* SHA-256 */, 0, Math.log2(PAGE_BYTES)], 36);
  directory.writeBigUInt64BE(BigInt(text.offset), 64);
  directory.writeBigUInt64BE(BigInt(text.bytes), 72);
  directory.write(identifier, CODE_DIRECTORY_BYTES, "latin1");
  for (let page = 0; page < pages; page++) {
    const bytes = code.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    directory.set(createHash("sha256").update(bytes).digest(), hashes + page * HASH_BYTES);
  }
  return signature;
}

function directoryBytes(codeBytes: number, identifier: string): number {
  return CODE_DIRECTORY_BYTES + identifier.length + 1 + Math.ceil(codeBytes / PAGE_BYTES) * HASH_BYTES;
}
