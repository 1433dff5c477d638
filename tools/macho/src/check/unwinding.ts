import { type MachOImage, rangeOf, type Section } from "../file/image.js";
import { type FrameEntry, readFrames, readUnwindInfo, type UnwindEntry, type UnwindInfo } from "../file/unwind.js";

const MODE_MASK = 0x0f000000;
const MODE_FRAMELESS = 0x02000000;
const MODE_DWARF = 0x03000000;
const MODE_FRAME = 0x04000000;
const OFFSET_MASK = 0x00ffffff;
const HAS_HANDLERS = 0x40000000;

/**
 * Whether exceptions find their way. macOS looks a function up in `__unwind_info`; what that cannot say in 4 bytes, it leaves
 * to an entry of `__eh_frame`. Every function with such an entry must be led to it, and every one that catches or cleans
 * up to its part of `__gcc_except_tab`.
 */
export function checkUnwinding(file: Buffer, image: MachOImage): string[] {
  const section = (name: string) => image.sections.find((one) => one.segment === "__TEXT" && one.name === name);
  const bytesOf = ({ fileOffset, bytes }: Section) => rangeOf(file, { offset: fileOffset, bytes });
  const info = section("__unwind_info");
  const frames = section("__eh_frame");
  const tables = section("__gcc_except_tab");
  if (info === undefined) return tables === undefined ? [] : ["it catches exceptions, but has no __unwind_info"];
  const unwind = readUnwindInfo(bytesOf(info));
  const entries = frames === undefined ? [] : readFrames(bytesOf(frames), frames.address);
  return [...checkOrder(unwind.entries), ...checkHandlers(unwind, tables), ...checkFrames(unwind.entries, entries)];
}

function checkOrder(entries: readonly UnwindEntry[]): string[] {
  const sorted = entries.every((entry, index) => index === 0 || entry.address >= (entries[index - 1]?.address ?? 0));
  return sorted ? [] : ["__unwind_info is not in order: functions are not found"];
}

function checkHandlers({ entries, handlers, personalities }: UnwindInfo, tables: Section | undefined): string[] {
  const faults: string[] = [];
  for (const [index, { address, encoding }] of entries.entries()) {
    const end = entries[index + 1]?.address;
    if (end === undefined || end === address) continue;
    const mode = encoding & MODE_MASK;
    const at = `the function at 0x${address.toString(16)}`;
    if (mode === 0) faults.push(`exceptions do not pass ${at}`);
    else if (mode !== MODE_FRAMELESS && mode !== MODE_DWARF && mode !== MODE_FRAME)
      faults.push(`${at} has an unknown kind of frame`);
    if (mode !== MODE_FRAME || (encoding & HAS_HANDLERS) === 0) continue;
    const personality = (encoding >>> 28) & 3;
    const table = handlers.get(address);
    if (personality < 1 || personality > personalities.length) faults.push(`no language knows the handlers of ${at}`);
    const inside =
      tables !== undefined && table !== undefined && table >= tables.address && table < tables.address + tables.bytes;
    if (!inside) faults.push(`${at} catches exceptions, but its table is missing`);
  }
  return faults;
}

function checkFrames(table: readonly UnwindEntry[], frames: readonly FrameEntry[]): string[] {
  const byOffset = new Map(frames.map((entry) => [entry.offset, entry]));
  return frames.flatMap(({ address }) => {
    const encoding = lookUp(table, address);
    const found = (encoding & MODE_MASK) === MODE_DWARF ? byOffset.get(encoding & OFFSET_MASK) : undefined;
    return found?.address === address ? [] : [`exceptions are led past the function at 0x${address.toString(16)}`];
  });
}

/** As macOS does: the last entry that does not begin behind the address. */
function lookUp(table: readonly UnwindEntry[], address: number): number {
  let low = 0;
  let high = table.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((table[middle]?.address ?? 0) <= address) low = middle + 1;
    else high = middle;
  }
  return table[low - 1]?.encoding ?? 0;
}
