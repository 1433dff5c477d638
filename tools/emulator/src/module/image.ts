import { Cursor } from "../cursor.js";
import { sectionOf } from "../elf.js";
import type { CodePlace } from "../lines.js";

/** Section of variables in threadgroup memory. */
const SHARED = "metile_shared";

/** Bytes of the variables in threadgroup memory of each function of a module, by the function's name. */
export function sharedBytes(file: Uint8Array): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  const shared = sectionOf(file, SHARED);
  const symbols = sectionOf(file, ".symtab");
  const names = sectionOf(file, ".strtab");
  if (shared === undefined || symbols === undefined || names === undefined) return bytes;
  for (const symbol = new Cursor(symbols.bytes); !symbol.atEnd; ) {
    const text = new Cursor(names.bytes);
    text.at = symbol.u32();
    symbol.at += 2;
    const section = symbol.u16();
    symbol.at += 8;
    const size = symbol.u64();
    if (section !== shared.index) continue;
    // a variable of a function: _ZZ, L for a static one, the length of its name, its name
    const name = text.text();
    const [start = "", length] = /^_ZZL?(\d+)/.exec(name) ?? [];
    if (length === undefined) continue;
    const owner = name.slice(start.length, start.length + Number(length));
    bytes.set(owner, (bytes.get(owner) ?? 0) + size);
  }
  return bytes;
}

/**
 * A line table as the machine reads it (`runtime/places.cpp`).
 *
 * @param nearest - whether code of other sources counts as the line before it, as is right for code that was inlined
 */
export function encodePlaces(places: readonly CodePlace[], nearest: boolean): Uint8Array {
  const names = new Map<string, number>();
  let offset = 0;
  const rows: number[] = [];
  for (const { address, location } of places) {
    if (location === undefined && nearest) continue;
    const { file, line } = location ?? { file: "", line: 0 };
    if (!names.has(file)) {
      names.set(file, offset);
      offset += Buffer.byteLength(file) + 1;
    }
    rows.push(address, line, names.get(file) as number);
  }
  const numbers = Buffer.from(Uint32Array.of(rows.length / 3, ...rows).buffer);
  return Buffer.concat([numbers, Buffer.from([...names.keys()].map((name) => `${name}\0`).join(""))]);
}
