import { textAt } from "./text.js";

/** A section of a segment; addresses count from the start of the image. */
export interface Section {
  readonly segment: string;
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly fileOffset: number;
}

/** A part of the image with one protection: 1 read, 2 write, 4 execute. */
export interface Segment {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly fileOffset: number;
  readonly fileBytes: number;
  readonly maximumProtection: number;
  readonly protection: number;
}

/** A table somewhere in the file. */
export interface Range {
  readonly offset: number;
  readonly bytes: number;
}

/** A Mach-O file as its load commands describe it. */
export interface MachOImage {
  readonly processor: number;
  readonly fileType: number;
  readonly flags: number;
  /** Kinds of all load commands. */
  readonly commands: readonly number[];
  readonly segments: readonly Segment[];
  readonly sections: readonly Section[];
  readonly build: { readonly platform: number; readonly minimum: string } | null;
  readonly installName: string | null;
  /** Libraries that it names, in the order of their ordinals. */
  readonly libraries: readonly string[];
  readonly dyld: {
    readonly rebases: Range;
    readonly binds: Range;
    readonly weakBinds: Range;
    readonly lazyBinds: Range;
    readonly exports: Range;
  } | null;
  readonly symbols: { readonly offset: number; readonly count: number; readonly strings: Range } | null;
  readonly signature: Range | null;
}

const MAGIC_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const COMMAND = {
  symbolTable: 0x2,
  loadLibrary: 0xc,
  ownName: 0xd,
  segment: 0x19,
  signature: 0x1d,
  build: 0x32,
  dyld: 0x80000022,
} as const;

type Draft = { -readonly [Key in keyof MachOImage]: MachOImage[Key] } & {
  segments: Segment[];
  sections: Section[];
  libraries: string[];
  commands: number[];
};

/**
 * Reads header and load commands.
 *
 * @throws RangeError when the bytes are no 64-bit Mach-O file or end within the load commands
 */
export function readImage(file: Buffer): MachOImage {
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MAGIC_64) throw new RangeError("no 64-bit Mach-O file");
  const image: Draft = {
    processor: file.readUInt32LE(4),
    fileType: file.readUInt32LE(12),
    flags: file.readUInt32LE(24),
    commands: [],
    segments: [],
    sections: [],
    build: null,
    installName: null,
    libraries: [],
    dyld: null,
    symbols: null,
    signature: null,
  };
  let offset = HEADER_BYTES;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const kind = file.readUInt32LE(offset);
    const bytes = file.readUInt32LE(offset + 4);
    if (bytes < 8 || offset + bytes > file.length) throw new RangeError(`load command at ${offset} has ${bytes} bytes`);
    image.commands.push(kind);
    readCommand(file.subarray(offset, offset + bytes), kind, image);
    offset += bytes;
  }
  if (offset !== HEADER_BYTES + file.readUInt32LE(20))
    throw new RangeError("load commands do not add up to their size");
  return image;
}

function readCommand(command: Buffer, kind: number, image: Draft): void {
  const range = (at: number): Range => ({ offset: command.readUInt32LE(at), bytes: command.readUInt32LE(at + 4) });
  switch (kind) {
    case COMMAND.segment:
      readSegment(command, image);
      return;
    case COMMAND.symbolTable:
      image.symbols = { offset: command.readUInt32LE(8), count: command.readUInt32LE(12), strings: range(16) };
      return;
    case COMMAND.loadLibrary:
      image.libraries.push(textAt(command, command.readUInt32LE(8)));
      return;
    case COMMAND.ownName:
      image.installName = textAt(command, command.readUInt32LE(8));
      return;
    case COMMAND.signature:
      image.signature = range(8);
      return;
    case COMMAND.build: {
      const version = command.readUInt32LE(12);
      image.build = { platform: command.readUInt32LE(8), minimum: `${version >>> 16}.${(version >>> 8) & 255}` };
      return;
    }
    case COMMAND.dyld:
      image.dyld = {
        rebases: range(8),
        binds: range(16),
        weakBinds: range(24),
        lazyBinds: range(32),
        exports: range(40),
      };
  }
}

function readSegment(command: Buffer, image: Draft): void {
  const number = (at: number) => Number(command.readBigUInt64LE(at));
  image.segments.push({
    name: textAt(command, 8, 16),
    address: number(24),
    bytes: number(32),
    fileOffset: number(40),
    fileBytes: number(48),
    maximumProtection: command.readUInt32LE(56),
    protection: command.readUInt32LE(60),
  });
  for (let index = 0, at = 72; index < command.readUInt32LE(64); index++, at += 80) {
    image.sections.push({
      name: textAt(command, at, 16),
      segment: textAt(command, at + 16, 16),
      address: number(at + 32),
      bytes: number(at + 40),
      fileOffset: command.readUInt32LE(at + 48),
    });
  }
}

/** The bytes of a table. @throws RangeError when it is not in the file */
export function rangeOf(file: Buffer, { offset, bytes }: Range): Buffer {
  if (offset + bytes > file.length) throw new RangeError(`a table at ${offset} of ${bytes} bytes is not in the file`);
  return file.subarray(offset, offset + bytes);
}
