import { alignUp, textAt } from "./image.js";

const ENTRY_BYTES = 16;
const EXTERNAL = 0x01;
const PRIVATE_EXTERNAL = 0x10;
const TYPE = 0x0e;
const DEBUG = 0xe0;
const UNDEFINED = 0;
/** In the indirect table: a slot whose symbol is of no interest to dyld. */
const INDIRECT_LOCAL = 0x80000000;

interface SymbolEntry {
  readonly name: string;
  readonly address: number;
  readonly bytes: Buffer;
}

/** Where the tables are, as the load commands say. */
export interface SymbolTables {
  readonly symbols: { readonly offset: number; readonly count: number };
  readonly strings: number;
  readonly indirect: { readonly offset: number; readonly count: number };
}

/** Tables that hold what dyld and debuggers of others need: exported and undefined symbols. */
export interface TrimmedSymbols {
  readonly exported: readonly SymbolEntry[];
  readonly undefinedCount: number;
  readonly symbols: Buffer;
  readonly indirect: Buffer;
  readonly strings: Buffer;
}

/** Leaves out local and private symbols. */
export function trimSymbols(file: Buffer, tables: SymbolTables): TrimmedSymbols {
  const exported: SymbolEntry[] = [];
  const missing: SymbolEntry[] = [];
  const renumbered = new Map<number, SymbolEntry>();
  for (let index = 0; index < tables.symbols.count; index++) {
    const at = tables.symbols.offset + index * ENTRY_BYTES;
    const bytes = file.subarray(at, at + ENTRY_BYTES);
    const type = bytes.readUInt8(4);
    if ((type & EXTERNAL) === 0 || (type & DEBUG) !== 0) continue;
    const undefinedSymbol = (type & TYPE) === UNDEFINED;
    if (!undefinedSymbol && (type & PRIVATE_EXTERNAL) !== 0) continue;
    const name = textAt(file, tables.strings + bytes.readUInt32LE(0));
    const entry = { name, address: Number(bytes.readBigUInt64LE(8)), bytes };
    (undefinedSymbol ? missing : exported).push(entry);
    renumbered.set(index, entry);
  }
  const byName = (a: SymbolEntry, b: SymbolEntry) => (a.name < b.name ? -1 : 1);
  const kept = [...exported.sort(byName), ...missing.sort(byName)];
  return {
    exported,
    undefinedCount: missing.length,
    ...writeSymbols(kept),
    indirect: writeIndirect(file, tables.indirect, (index) => kept.indexOf(renumbered.get(index) as SymbolEntry)),
  };
}

function writeSymbols(kept: readonly SymbolEntry[]) {
  const names: Buffer[] = [Buffer.alloc(1)]; // name 0 is the empty one
  let offset = 1;
  const entries = kept.map(({ name, bytes }) => {
    const entry = Buffer.from(bytes);
    entry.writeUInt32LE(offset, 0);
    names.push(Buffer.from(`${name}\0`, "latin1"));
    offset += name.length + 1;
    return entry;
  });
  names.push(Buffer.alloc(alignUp(offset, 8) - offset));
  return { symbols: Buffer.concat(entries), strings: Buffer.concat(names) };
}

function writeIndirect(file: Buffer, { offset, count }: SymbolTables["indirect"], renumber: (index: number) => number) {
  const indirect = Buffer.alloc(count * 4);
  for (let slot = 0; slot < count; slot++) {
    const index = file.readUInt32LE(offset + slot * 4);
    const now = index >= INDIRECT_LOCAL / 2 ? -1 : renumber(index);
    indirect.writeUInt32LE(now < 0 ? INDIRECT_LOCAL : now, slot * 4);
  }
  return indirect;
}
