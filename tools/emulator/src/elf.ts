import { Cursor } from "./cursor.js";

/** A section of a program. */
export interface Section {
  readonly bytes: Uint8Array;
  /** Address at which the program's first byte is meant to lie. */
  readonly base: number;
  /** Its number in the file. */
  readonly index: number;
}

/** Finds a section of a 64-bit ELF file by name; undefined when there is none. */
export function sectionOf(file: Uint8Array, name: string): Section | undefined {
  const header = new Cursor(file);
  header.at = 32;
  const segments = header.u64();
  const sections = header.u64();
  header.at = 54;
  const segmentSize = header.u16();
  const segmentCount = header.u16();
  const sectionSize = header.u16();
  const sectionCount = header.u16();
  const nameSection = header.u16();
  const read = (index: number) => {
    const entry = new Cursor(file);
    entry.at = sections + index * sectionSize;
    const nameOffset = entry.u32();
    entry.at += 20;
    return { nameOffset, offset: entry.u64(), bytes: entry.u64() };
  };
  const names = read(nameSection);
  for (let index = 0; index < sectionCount; index += 1) {
    const { nameOffset, offset, bytes } = read(index);
    const text = new Cursor(file);
    text.at = names.offset + nameOffset;
    if (text.text() !== name) continue;
    const base = baseOf(file, segments, segmentSize, segmentCount);
    return { bytes: file.subarray(offset, offset + bytes), base, index };
  }
  return undefined;
}

function baseOf(file: Uint8Array, segments: number, size: number, count: number): number {
  for (let index = 0; index < count; index += 1) {
    const entry = new Cursor(file);
    entry.at = segments + index * size;
    if (entry.u32() !== 1) continue; // not loaded
    entry.at += 12;
    return entry.u64();
  }
  return 0;
}
