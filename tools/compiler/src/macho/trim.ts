import { exportTrie } from "./export-trie.js";
import { alignUp, LOAD_COMMAND, loadCommands, requireCommand, requireSegment } from "./image.js";
import { adHocSignature, signatureBytes } from "./sign.js";
import { trimSymbols } from "./symbols.js";

const PAGE_BYTES = 0x4000;
const SIGNATURE_ALIGNMENT = 16;
/** Header flags of images with weak definitions, which are not exported any more. */
const WEAK_FLAGS = 0x8000 | 0x10000;

/**
 * A Mach-O library as Apple's tools would leave it: exports only what is not hidden, names only what dyld looks up, and
 * is signed again. zig's linker exports hidden symbols, writes every local one, and has no option against either.
 *
 * @param file - a library that zig linked
 * @param identifier - name that the signature carries
 * @throws RangeError when the bytes are no such library
 */
export function trimMachO(file: Buffer, identifier: string): Buffer {
  const commands = loadCommands(file);
  const header = Buffer.from(file.subarray(0, headerBytes(file)));
  const linkedit = requireSegment(file, commands, "__LINKEDIT");
  const textSegment = requireSegment(file, commands, "__TEXT");
  const dyldInfo = requireCommand(commands, LOAD_COMMAND.dyldInfo);
  const symbolTable = requireCommand(commands, LOAD_COMMAND.symbolTable);
  const dynamic = requireCommand(commands, LOAD_COMMAND.dynamicSymbolTable);
  const signatureCommand = requireCommand(commands, LOAD_COMMAND.codeSignature);

  const trimmed = trimSymbols(file, {
    symbols: { offset: file.readUInt32LE(symbolTable + 8), count: file.readUInt32LE(symbolTable + 12) },
    strings: file.readUInt32LE(symbolTable + 16),
    indirect: { offset: file.readUInt32LE(dynamic + 56), count: file.readUInt32LE(dynamic + 60) },
  });

  const start = Number(file.readBigUInt64LE(linkedit + 40));
  const parts: Buffer[] = [];
  let end = start;
  /** Appends a table and writes its place into the load command. Empty tables have no place. */
  const append = (table: Buffer, offsetField: number, sizeField: number | null) => {
    header.writeUInt32LE(table.length === 0 ? 0 : end, offsetField);
    if (sizeField !== null) header.writeUInt32LE(table.length, sizeField);
    const padded = Buffer.alloc(alignUp(table.length, 8));
    padded.set(table);
    parts.push(padded);
    end += padded.length;
  };
  const copy = (offsetField: number) => {
    const offset = file.readUInt32LE(offsetField);
    append(file.subarray(offset, offset + file.readUInt32LE(offsetField + 4)), offsetField, offsetField + 4);
  };

  for (const table of [8, 16, 24, 32]) copy(dyldInfo + table); // rebases, binds, weak and lazy binds
  append(exportTrie(trimmed.exported), dyldInfo + 40, dyldInfo + 44);
  for (const { kind, offset } of commands) {
    if (kind === LOAD_COMMAND.functionStarts || kind === LOAD_COMMAND.dataInCode) copy(offset + 8);
  }
  append(trimmed.symbols, symbolTable + 8, null);
  header.writeUInt32LE(trimmed.exported.length + trimmed.undefinedCount, symbolTable + 12);
  append(trimmed.indirect, dynamic + 56, null);
  append(trimmed.strings, symbolTable + 16, symbolTable + 20);
  const counts = [0, 0, 0, trimmed.exported.length, trimmed.exported.length, trimmed.undefinedCount];
  for (const [index, count] of counts.entries()) header.writeUInt32LE(count, dynamic + 8 + index * 4);

  const codeBytes = alignUp(end, SIGNATURE_ALIGNMENT);
  parts.push(Buffer.alloc(codeBytes - end));
  const signatureLength = signatureBytes(codeBytes, identifier);
  header.writeUInt32LE(codeBytes, signatureCommand + 8);
  header.writeUInt32LE(signatureLength, signatureCommand + 12);
  const linkeditBytes = codeBytes + signatureLength - start;
  header.writeBigUInt64LE(BigInt(linkeditBytes), linkedit + 48);
  header.writeBigUInt64LE(BigInt(alignUp(linkeditBytes, PAGE_BYTES)), linkedit + 32);
  header.writeUInt32LE(header.readUInt32LE(24) & ~WEAK_FLAGS, 24);

  const code = Buffer.concat([header, file.subarray(header.length, start), ...parts]);
  const text = {
    offset: Number(file.readBigUInt64LE(textSegment + 40)),
    bytes: Number(file.readBigUInt64LE(textSegment + 48)),
  };
  return Buffer.concat([code, adHocSignature(code, { identifier, text })]);
}

/** Length of the header with its load commands. */
function headerBytes(file: Buffer): number {
  return 32 + file.readUInt32LE(20);
}
