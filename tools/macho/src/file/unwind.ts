/** A range of code and how exceptions pass it. */
export interface UnwindEntry {
  readonly address: number;
  readonly encoding: number;
}

/** What `__unwind_info` says. */
export interface UnwindInfo {
  /** In order; the last one only says where the code ends. */
  readonly entries: readonly UnwindEntry[];
  /** Where functions that catch or clean up have their tables, by the function's address. */
  readonly handlers: ReadonlyMap<number, number>;
  /** Addresses that hold the address of a language's function for frames. */
  readonly personalities: readonly number[];
}

/** An entry of `__eh_frame` that describes code. */
export interface FrameEntry {
  /** From the start of the section. */
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

const REGULAR = 2;
const COMPRESSED = 3;

/** Reads `__unwind_info`, the table that macOS's unwinder looks into first. @throws RangeError for another version */
export function readUnwindInfo(table: Buffer): UnwindInfo {
  if (table.readUInt32LE(0) !== 1) throw new RangeError("unknown version of __unwind_info");
  const common = { offset: table.readUInt32LE(4), count: table.readUInt32LE(8) };
  const index = table.readUInt32LE(20);
  const entries: UnwindEntry[] = [];
  for (let page = 0; page < table.readUInt32LE(24); page++) {
    const base = table.readUInt32LE(index + page * 12);
    const offset = table.readUInt32LE(index + page * 12 + 4);
    if (offset === 0) {
      entries.push({ address: base, encoding: 0 }); // the end of the code
      continue;
    }
    const first = offset + table.readUInt16LE(offset + 4);
    const count = table.readUInt16LE(offset + 6);
    const kind = table.readUInt32LE(offset);
    for (let entry = 0; entry < count; entry++) {
      if (kind === REGULAR) {
        const at = first + entry * 8;
        entries.push({ address: table.readUInt32LE(at), encoding: table.readUInt32LE(at + 4) });
      } else if (kind === COMPRESSED) {
        const word = table.readUInt32LE(first + entry * 4);
        const number = word >>> 24;
        const own = offset + table.readUInt16LE(offset + 8);
        const at = number < common.count ? common.offset + number * 4 : own + (number - common.count) * 4;
        entries.push({ address: base + (word & 0xffffff), encoding: table.readUInt32LE(at) });
      } else throw new RangeError("unknown kind of page in __unwind_info");
    }
  }
  return { entries, handlers: readHandlers(table), personalities: readPersonalities(table) };
}

function readHandlers(table: Buffer): Map<number, number> {
  const index = table.readUInt32LE(20);
  const count = table.readUInt32LE(24);
  const handlers = new Map<number, number>();
  if (count === 0) return handlers;
  const end = table.readUInt32LE(index + (count - 1) * 12 + 8);
  for (let at = table.readUInt32LE(index + 8); at < end; at += 8) {
    handlers.set(table.readUInt32LE(at), table.readUInt32LE(at + 4));
  }
  return handlers;
}

function readPersonalities(table: Buffer): number[] {
  const first = table.readUInt32LE(12);
  return Array.from({ length: table.readUInt32LE(16) }, (_, index) => table.readUInt32LE(first + index * 4));
}

/** Reads what `__eh_frame` says about code. `address` is the section's; pointers in it are relative to their place. */
export function readFrames(section: Buffer, address: number): FrameEntry[] {
  const entries: FrameEntry[] = [];
  for (let offset = 0; offset + 4 <= section.length; ) {
    const bytes = section.readUInt32LE(offset);
    if (bytes === 0) break;
    if (section.readUInt32LE(offset + 4) !== 0) {
      const start = Number(section.readBigInt64LE(offset + 8)) + address + offset + 8;
      entries.push({ offset, address: start, bytes: Number(section.readBigUInt64LE(offset + 16)) });
    }
    offset += 4 + bytes;
  }
  return entries;
}
