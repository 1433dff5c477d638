import { type Bind, readBinds } from "../file/binds.js";
import { readExports } from "../file/exports.js";
import { type MachOImage, rangeOf } from "../file/image.js";
import { readSymbols } from "../file/symbols.js";

/** What a library may take from others, and what it gives. */
export interface Naming {
  /** Exactly these symbols are exported, with their underscores. */
  readonly exports: readonly string[];
  /** Libraries that it may name. */
  readonly libraries: readonly string[];
  /** Symbols that are looked up in the whole process: those of Node. @default none */
  readonly flat?: RegExp;
}

const FLAT_LOOKUP = -2;

/** Every symbol that is taken from elsewhere, and from where. */
export function checkImports(file: Buffer, image: MachOImage, expectation: Naming): string[] {
  const { dyld } = image;
  if (dyld === null) return ["it has no tables for dyld"];
  const faults: string[] = [];
  const binds = [...readBinds(rangeOf(file, dyld.binds), false), ...readBinds(rangeOf(file, dyld.lazyBinds), true)];
  const weak = readBinds(rangeOf(file, dyld.weakBinds), false);
  for (const { name } of weak) faults.push(`${name} is a weak symbol: any library could replace it`);
  for (const library of image.libraries) {
    if (!expectation.libraries.includes(library)) faults.push(`it needs ${library}`);
  }
  for (const bind of uniqueByName(binds)) faults.push(...checkBind(bind, image, expectation));
  for (const bind of binds) {
    const segment = image.segments[bind.segment];
    if (segment === undefined || bind.offset < 0 || bind.offset + 8 > segment.bytes)
      faults.push(`${bind.name} is bound outside of the segments`);
  }
  const bound = new Set(binds.map(({ name }) => name));
  for (const { name, kind, weak: isWeak } of readSymbols(file, image)) {
    if (kind === "undefined" && !bound.has(name)) faults.push(`${name} is missing, and nothing binds it`);
    if (kind !== "local" && isWeak) faults.push(`${name} is a weak symbol`);
  }
  return faults;
}

function checkBind({ name, library, optional }: Bind, image: MachOImage, expectation: Naming): string[] {
  if (optional) return [`${name} may be missing: nothing tests whether it is there`];
  if (library === FLAT_LOOKUP) {
    if (expectation.flat?.test(name) === true) return [];
    return [
      `${name} is looked up in the whole process. A symbol of libc++ belongs into packages/runtime/native/darwin/libc++.1.tbd ` +
        "if macOS 13 has it; else the code has to do without",
    ];
  }
  if (expectation.flat?.test(name) === true) return [`${name} is looked for in ${image.libraries[library - 1]}`];
  if (library < 1 || library > image.libraries.length)
    return [`${name} comes from library ${library}, which is not named`];
  return [];
}

function uniqueByName(binds: readonly Bind[]): Bind[] {
  return [...new Map(binds.map((bind) => [`${bind.name} ${bind.library} ${bind.optional}`, bind])).values()];
}

/** What others can look up: the tree that dyld reads and the table that tools read say the same. */
export function checkExports(file: Buffer, image: MachOImage, expectation: Naming): string[] {
  if (image.dyld === null) return [];
  const faults: string[] = [];
  const exported = readExports(rangeOf(file, image.dyld.exports));
  const names = new Set(exported.map(({ name }) => name));
  for (const { name, flags, address } of exported) {
    if (!expectation.exports.includes(name)) faults.push(`${name} is exported`);
    if (flags !== 0) faults.push(`${name} is exported with flags ${flags}`);
    const inside = image.segments.some(
      (segment) =>
        segment.name !== "__LINKEDIT" && address >= segment.address && address < segment.address + segment.bytes,
    );
    if (!inside) faults.push(`${name} leads out of the image`);
  }
  for (const name of expectation.exports) {
    if (!names.has(name)) faults.push(`${name} is not exported`);
  }
  const symbols = readSymbols(file, image).filter(({ kind }) => kind === "exported");
  for (const { name } of symbols) {
    if (!names.has(name)) faults.push(`${name} is in the symbol table as exported, but dyld does not find it`);
  }
  return faults;
}
