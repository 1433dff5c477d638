import { Cursor } from "./cursor.js";
import { sectionOf } from "./elf.js";
import type { Location } from "./report.js";

interface Row {
  readonly address: number;
  readonly file: string;
  readonly line: number;
  /** Whether it only ends the code before it. */
  readonly end: boolean;
}

/**
 * The line table of a program (DWARF 4, as the compiler is told to write), so that no other tool is needed to name places.
 *
 * @param program - bytes of an ELF file
 * @param names - sources as `#line` names them: `metile/row.h`; other places are left out
 * @returns the place of an address relative to the program's start
 */
export function readLines(program: Uint8Array, names: readonly string[]): (address: number) => Location | undefined {
  const places = readPlaces(program, names);
  return (address) => places[lastAtOrBefore(places, address)]?.location;
}

/** Where the code of a place begins, relative to the program's start; it ends where the next one begins. */
export interface CodePlace {
  readonly address: number;
  /** Undefined for code of other sources. */
  readonly location: Location | undefined;
}

/** The whole line table as {@link readLines} looks it up, by rising addresses. */
export function readPlaces(program: Uint8Array, names: readonly string[]): CodePlace[] {
  const table = sectionOf(program, ".debug_line");
  if (table === undefined) return [];
  const rows: Row[] = [];
  for (const cursor = new Cursor(table.bytes); !cursor.atEnd; ) {
    const unit = cursor.take(cursor.u32());
    if (unit.u16() === 4) runUnit(unit, rows);
  }
  const order = (row: Row) => row.address - (row.end ? 0.5 : 0); // code may begin where other code ends
  rows.sort((a, b) => order(a) - order(b));
  const suffixes = [...names].sort((a, b) => b.length - a.length);
  const files = new Map<string, string | undefined>();
  const nameOf = (file: string) => {
    if (!files.has(file)) {
      files.set(
        file,
        suffixes.find((name) => file === name || file.endsWith(`/${name}`)),
      );
    }
    return files.get(file);
  };
  let last: Row | undefined;
  return rows.map((row) => {
    if (row.end || row.line !== 0) last = row; // of no line of its own: what stands before it
    const file = last === undefined || last.end ? undefined : nameOf(last.file);
    const location = file === undefined || last === undefined ? undefined : { file, line: last.line };
    return { address: row.address - table.base, location };
  });
}

function lastAtOrBefore(rows: readonly CodePlace[], address: number): number {
  let low = -1;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle] as CodePlace).address <= address) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Names of the files of a unit, from 1. */
function readFiles(unit: Cursor): string[] {
  const folders = [""];
  for (let name = unit.text(); name !== ""; name = unit.text()) folders.push(name);
  const files = [""];
  for (let name = unit.text(); name !== ""; name = unit.text()) {
    const folder = folders[unit.unsigned()];
    unit.unsigned();
    unit.unsigned();
    files.push(folder ? `${folder}/${name}` : name);
  }
  return files;
}

/** Runs the program of one unit, behind its version. */
function runUnit(unit: Cursor, rows: Row[]): void {
  const program = unit.u32() + unit.at;
  const step = unit.u8();
  unit.u16(); // operations an instruction, and whether rows begin statements
  const base = unit.i8();
  const range = unit.u8();
  const firstSpecial = unit.u8();
  const lengths = Array.from({ length: firstSpecial - 1 }, () => unit.u8());
  const files = readFiles(unit);
  unit.at = program;
  let [address, file, line] = [0, 1, 1];
  const advance = (special: number) => {
    address += Math.floor((special - firstSpecial) / range) * step;
  };
  const emit = (end = false) => {
    rows.push({ address, file: files[file] ?? "", line, end });
  };
  while (!unit.atEnd) {
    const code = unit.u8();
    if (code >= firstSpecial) {
      advance(code);
      line += base + ((code - firstSpecial) % range);
      emit();
    } else if (code === 0) {
      const extended = unit.take(unit.unsigned());
      const kind = extended.u8();
      if (kind === 2) address = extended.u64();
      if (kind !== 1) continue;
      emit(true);
      [address, file, line] = [0, 1, 1];
    } else if (code === 1) emit();
    else if (code === 2) address += unit.unsigned() * step;
    else if (code === 3) line += unit.signed();
    else if (code === 4) file = unit.unsigned();
    else if (code === 8) advance(255);
    else if (code === 9) address += unit.u16();
    else for (let skipped = lengths[code - 1] ?? 0; skipped > 0; skipped -= 1) unit.unsigned();
  }
}
