import { type MachOImage, rangeOf } from "./image.js";
import { textAt } from "./text.js";

/** An entry of the symbol table. */
export interface Symbol {
  readonly name: string;
  readonly kind: "undefined" | "exported" | "local";
  /** For undefined symbols as for binds: 1 and up, or 254 for a lookup in everything. */
  readonly library: number;
  readonly weak: boolean;
}

const ENTRY_BYTES = 16;

/** Reads the symbol table. @throws RangeError when it is not in the file */
export function readSymbols(file: Buffer, { symbols }: MachOImage): Symbol[] {
  if (symbols === null) return [];
  const table = rangeOf(file, { offset: symbols.offset, bytes: symbols.count * ENTRY_BYTES });
  const strings = rangeOf(file, symbols.strings);
  return Array.from({ length: symbols.count }, (_, index) => {
    const entry = table.subarray(index * ENTRY_BYTES);
    const type = entry.readUInt8(4);
    const description = entry.readUInt16LE(6);
    const external = (type & 0x01) !== 0 && (type & 0x10) === 0;
    return {
      name: textAt(strings, entry.readUInt32LE(0)),
      kind: (type & 0x0e) === 0 ? "undefined" : external ? "exported" : "local",
      library: description >> 8,
      weak: (description & 0x00c0) !== 0,
    };
  });
}
