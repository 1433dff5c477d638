import { type MachOImage, rangeOf } from "../file/image.js";
import { readFrames, readUnwindInfo, type UnwindEntry } from "../file/unwind.js";

const MODE_MASK = 0x0f000000;
const MODE_DWARF = 0x03000000;
const OFFSET_MASK = 0x00ffffff;

/**
 * Whether exceptions find their way. macOS looks a function up in `__unwind_info`, which sends it on to `__eh_frame`: for
 * every function that has an entry there, the first table must lead to an entry of that function.
 */
export function checkUnwinding(file: Buffer, image: MachOImage): string[] {
  const section = (name: string) => image.sections.find((one) => one.segment === "__TEXT" && one.name === name);
  const bytesOf = ({ fileOffset, bytes }: { fileOffset: number; bytes: number }) =>
    rangeOf(file, { offset: fileOffset, bytes });
  const info = section("__unwind_info");
  const frames = section("__eh_frame");
  if (info === undefined)
    return section("__gcc_except_tab") === undefined ? [] : ["it catches exceptions, but has no __unwind_info"];
  const table = readUnwindInfo(bytesOf(info));
  const faults: string[] = [];
  for (const [index, entry] of table.entries()) {
    if (index > 0 && entry.address < (table[index - 1]?.address ?? 0)) faults.push("__unwind_info is not in order");
  }
  if (frames === undefined) return faults;
  const entries = readFrames(bytesOf(frames), frames.address);
  const byOffset = new Map(entries.map((entry) => [entry.offset, entry]));
  for (const { address } of entries) {
    const encoding = lookUp(table, address);
    const found = (encoding & MODE_MASK) === MODE_DWARF ? byOffset.get(encoding & OFFSET_MASK) : undefined;
    if (found?.address !== address) faults.push(`exceptions do not pass the function at 0x${address.toString(16)}`);
  }
  return faults;
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
