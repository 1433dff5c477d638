import { existsSync, readFileSync } from "node:fs";
import { trimMachO } from "@metile/compiler";
import { describe, expect, it } from "vitest";
import { checkMachO } from "../src/check.js";
import { addonExpectation } from "../src/expectations.js";
import { readExports } from "../src/file/exports.js";
import { rangeOf, readImage } from "../src/file/image.js";
import { addonOf } from "./packages.js";

const path = addonOf("darwin-arm64");
const built = existsSync(path) && process.platform === "linux";
const original = built ? readFileSync(path) : Buffer.alloc(0);

/** A copy that was changed, and signed again unless the signature is what is changed. */
function damaged(change: (file: Buffer) => void, signed = true): string[] {
  const copy = Buffer.from(original);
  change(copy);
  return checkMachO(signed ? trimMachO(copy, "metile_runtime.node") : copy, addonExpectation);
}

/** Where a load command of a kind begins. */
function command(file: Buffer, kind: number, name?: string): number {
  let offset = 32;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const matches = name === undefined || file.toString("latin1", offset + 8, offset + 8 + name.length) === name;
    if (file.readUInt32LE(offset) === kind && matches) return offset;
    offset += file.readUInt32LE(offset + 4);
  }
  throw new Error(`no load command ${kind}`);
}

/** Where a section's description begins. */
function sectionAt(file: Buffer, segment: string, name: string): number {
  const start = command(file, 0x19, segment);
  for (let at = start + 72; ; at += 80) if (file.toString("latin1", at, at + name.length) === name) return at;
}

const SEGMENT = 0x19;
const cases: [string, RegExp, (file: Buffer) => void][] = [
  ["another processor", /processor 0x1000007/, (file) => file.writeUInt32LE(0x01000007, 4)],
  ["a program in place of a library", /file type 2/, (file) => file.writeUInt32LE(2, 12)],
  ["a flat namespace", /not bound to the libraries/, (file) => file.writeUInt32LE(file.readUInt32LE(24) & ~0x80, 24)],
  ["another system", /platform 2/, (file) => file.writeUInt32LE(2, command(file, 0x32) + 8)],
  ["a newer macOS", /macOS 14.4/, (file) => file.writeUInt32LE((14 << 16) | (4 << 8), command(file, 0x32) + 12)],
  ["no word of the system", /for which system/, (file) => file.writeUInt32LE(0x7fff, command(file, 0x32))],
  ["writable code", /writable and executable/, (file) => file.writeUInt32LE(7, command(file, SEGMENT, "__TEXT") + 60)],
  [
    "data that may be executed",
    /writable and executable/,
    (file) => file.writeUInt32LE(7, command(file, SEGMENT, "__DATA\0") + 56),
  ],
  [
    "a segment off its page",
    /page of 16 KiB in memory/,
    (file) => {
      const at = command(file, SEGMENT, "__DATA\0") + 24;
      file.writeBigUInt64LE(file.readBigUInt64LE(at) + 4096n, at);
    },
  ],
  [
    "segments on top of each other",
    /overlap/,
    (file) => {
      const at = command(file, SEGMENT, "__DATA_CONST");
      file.writeBigUInt64LE(file.readBigUInt64LE(at + 32) + 0x8000n, at + 32);
    },
  ],
  [
    "another name of its own",
    /its own name is @rpath\/other/,
    (file) => file.write("@rpath/other\0", command(file, 0xd) + 24),
  ],
  [
    "another library",
    /it needs \/usr\/lib\/libz/,
    (file) => file.write("/usr/lib/libz.1.dylib\0", command(file, 0xc) + 24),
  ],
  ["an import from nowhere", /_strlen is looked up in the whole process/, (file) => rebind(file, "_strlen", 0x3e)],
  ["Node's function from a library", /_napi_throw is looked for in \/usr/, (file) => rebind(file, "_napi_throw", 0x11)],
  [
    "an optional import",
    /_strlen may be missing/,
    (file) => {
      file[lazyName(file, "_strlen") - 1] = 0x41;
    },
  ],
  [
    "exceptions that are led astray",
    /exceptions|handlers|table|order/,
    (file) => {
      const at = file.readUInt32LE(sectionAt(file, "__TEXT", "__unwind_info") + 48);
      file.writeUInt32LE(0x7fffffff, at + file.readUInt32LE(at + 20)); // where the first page of functions begins
    },
  ],
  [
    "handlers that are lost",
    /its table is missing/,
    (file) => {
      const at = file.readUInt32LE(sectionAt(file, "__TEXT", "__unwind_info") + 48);
      const index = at + file.readUInt32LE(at + 20);
      file.writeUInt32LE(file.readUInt32LE(index + 12 + 8), index + 8); // the table ends where it begins
    },
  ],
];

/** Where a name stands in the table of lazy binds. */
function lazyName(file: Buffer, name: string): number {
  const { dyld } = readImage(file);
  if (dyld === null) throw new Error("no tables for dyld");
  const found = file.indexOf(`${name}\0`, dyld.lazyBinds.offset, "latin1");
  if (found < 0 || found > dyld.lazyBinds.offset + dyld.lazyBinds.bytes) throw new Error(`${name} is not bound lazily`);
  return found;
}

/** Changes the code behind a lazily bound name that says from where it comes. */
function rebind(file: Buffer, name: string, code: number): void {
  file[lazyName(file, name) + name.length + 1] = code;
}

describe.skipIf(!built)("a damaged addon", () => {
  it("stays good when it is only trimmed and signed again", () => {
    const again = trimMachO(original, "metile_runtime.node");
    expect(again.equals(original)).toBe(true);
  });

  it.each(cases)("is found: %s", (_, fault, change) => {
    expect(damaged(change).join("\n")).toMatch(fault);
  });

  it("is found by any changed byte, wherever it is", () => {
    const { signature } = readImage(original);
    for (const place of [0x40, 0x2000, 0x21345, Math.floor(original.length / 2), (signature?.offset ?? 0) - 20]) {
      const faults = damaged((file) => file.writeUInt8((file[place] ?? 0) ^ 1, place), false);
      expect(faults.join("\n"), `byte ${place}`).toMatch(/pages are not those that were signed/);
    }
  });

  it("is found when it ends early, has more at the end, or is empty", () => {
    const check = (file: Buffer) => checkMachO(file, addonExpectation).join("\n");
    expect(check(original.subarray(0, original.length - 100))).toMatch(/not in the file|__LINKEDIT ends/);
    expect(check(Buffer.concat([original, Buffer.alloc(16)]))).toMatch(/follows the signature/);
    expect(check(original.subarray(0, 20))).toMatch(/no 64-bit Mach-O/);
    for (let length = 32; length < original.length; length += 9973) {
      expect(check(original.subarray(0, length)), `${length} bytes`).not.toBe("");
    }
  });

  it("is found when it exports more or less, or is larger", () => {
    const [first, second] = addonExpectation.exports as [string, string];
    const check = (change: object) => checkMachO(original, { ...addonExpectation, ...change }).join("\n");
    expect(check({ exports: [first] })).toMatch(`${second} is exported`);
    expect(check({ exports: [first, second, "_third"] })).toMatch("_third is not exported");
    expect(check({ maximumBytes: 1000 })).toMatch(/more than 1000/);
    expect(check({ libraries: [] })).toMatch("it needs /usr/lib/libSystem");
  });

  it("is found when the tree of exports is not what the symbol table says", () => {
    const { dyld } = readImage(original);
    if (dyld === null) throw new Error("no tables for dyld");
    expect(readExports(rangeOf(original, dyld.exports))).toHaveLength(2);
    const faults = damaged((file) => file.write("X", file.indexOf("api_register", dyld.exports.offset)), false);
    expect(faults.join("\n")).toMatch(/_nXpi_register_module_v1 is exported/);
  });
});
