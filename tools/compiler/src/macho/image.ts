/** Numbers of Apple's `mach-o/loader.h` and `mach-o/nlist.h` that trimming needs. */
export const LOAD_COMMAND = {
  symbolTable: 0x2,
  dynamicSymbolTable: 0xb,
  segment: 0x19,
  codeSignature: 0x1d,
  functionStarts: 0x26,
  dataInCode: 0x29,
  dyldInfo: 0x80000022,
} as const;

const MAGIC_64 = 0xfeedfacf;
const HEADER_BYTES = 32;

/** One load command: where it starts in the file, and its kind. */
export interface LoadCommand {
  readonly kind: number;
  readonly offset: number;
  readonly size: number;
}

/** Reads the list of load commands. @throws RangeError when the bytes are no 64-bit Mach-O file */
export function loadCommands(file: Buffer): LoadCommand[] {
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MAGIC_64) throw new RangeError("not a 64-bit Mach-O file");
  const commands: LoadCommand[] = [];
  let offset = HEADER_BYTES;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const size = file.readUInt32LE(offset + 4);
    commands.push({ kind: file.readUInt32LE(offset), offset, size });
    offset += size;
  }
  return commands;
}

/** The one command of a kind. @throws RangeError when there is none */
export function requireCommand(commands: readonly LoadCommand[], kind: number): number {
  const found = commands.find((command) => command.kind === kind);
  if (found === undefined) throw new RangeError(`a Mach-O file without load command 0x${kind.toString(16)}`);
  return found.offset;
}

/** The segment of that name. @throws RangeError when there is none */
export function requireSegment(file: Buffer, commands: readonly LoadCommand[], name: string): number {
  const wanted = name.padEnd(16, "\0");
  const found = commands.find(
    ({ kind, offset }) => kind === LOAD_COMMAND.segment && file.toString("latin1", offset + 8, offset + 24) === wanted,
  );
  if (found === undefined) throw new RangeError(`a Mach-O file without segment ${name}`);
  return found.offset;
}

/** The text that starts at an offset and ends with a zero. */
export function textAt(file: Buffer, offset: number): string {
  return file.toString("latin1", offset, file.indexOf(0, offset));
}

/** Smallest multiple of a power of two that is not below a number. */
export function alignUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}
