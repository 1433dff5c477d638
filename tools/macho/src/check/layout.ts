import { type MachOImage, rangeOf, type Segment } from "../file/image.js";

const PROCESSOR_ARM64 = 0x0100000c;
const FILE_DYLIB = 6;
const FILE_BUNDLE = 8;
const FLAG_TWO_LEVEL = 0x80;
const FLAGS_WEAK = 0x8000 | 0x10000;
const PLATFORM_MACOS = 1;
/** The oldest macOS that meTile runs on. */
const MINIMUM_SYSTEM = "13.0";
const PAGE_BYTES = 0x4000;
const WRITE = 2;
const EXECUTE = 4;

/** Processor, kind of file, flags and system. */
export function checkHeader({ processor, fileType, flags, build }: MachOImage): string[] {
  const faults: string[] = [];
  if (processor !== PROCESSOR_ARM64) faults.push(`processor 0x${processor.toString(16)} is not arm64`);
  if (fileType !== FILE_DYLIB && fileType !== FILE_BUNDLE) faults.push(`file type ${fileType} is no library`);
  if ((flags & FLAG_TWO_LEVEL) === 0) faults.push("symbols are not bound to the libraries that they come from");
  if ((flags & FLAGS_WEAK) !== 0) faults.push("the header speaks of weak symbols");
  if (build === null) return [...faults, "it does not say for which system it is"];
  if (build.platform !== PLATFORM_MACOS) faults.push(`platform ${build.platform} is not macOS`);
  if (build.minimum !== MINIMUM_SYSTEM) faults.push(`made for macOS ${build.minimum}, not ${MINIMUM_SYSTEM}`);
  return faults;
}

/** Pages, protections and order of segments. */
export function checkSegments(file: Buffer, image: MachOImage): string[] {
  const faults = image.segments.flatMap((segment) => checkSegment(file, segment));
  const [first] = image.segments;
  if (first?.name !== "__TEXT" || first.fileOffset !== 0 || first.address !== 0) {
    faults.push("the first segment is not the code with the header");
  }
  for (const [index, segment] of image.segments.entries()) {
    const before = image.segments[index - 1];
    if (before !== undefined && segment.address < before.address + before.bytes) {
      faults.push(`segments ${before.name} and ${segment.name} overlap`);
    }
  }
  const last = image.segments.at(-1);
  if (last?.name !== "__LINKEDIT") faults.push("the last segment is not __LINKEDIT");
  else if (last.fileOffset + last.fileBytes !== file.length) {
    faults.push(`__LINKEDIT ends at ${last.fileOffset + last.fileBytes}, the file at ${file.length}`);
  }
  for (const section of image.sections) {
    const segment = image.segments.find(({ name }) => name === section.segment);
    const inside =
      segment !== undefined &&
      section.address >= segment.address &&
      section.address + section.bytes <= segment.address + segment.bytes;
    if (!inside) faults.push(`section ${section.name} is not in its segment ${section.segment}`);
  }
  return faults;
}

function checkSegment(file: Buffer, segment: Segment): string[] {
  const { name, address, fileOffset, fileBytes, protection, maximumProtection } = segment;
  const faults: string[] = [];
  rangeOf(file, { offset: fileOffset, bytes: fileBytes });
  if (address % PAGE_BYTES !== 0) faults.push(`segment ${name} does not begin on a page of 16 KiB in memory`);
  if (fileBytes > 0 && fileOffset % PAGE_BYTES !== 0) {
    faults.push(`segment ${name} does not begin on a page of 16 KiB in the file`);
  }
  if (fileBytes > segment.bytes) faults.push(`segment ${name} is longer in the file than in memory`);
  for (const bits of [protection, maximumProtection]) {
    if ((bits & WRITE) !== 0 && (bits & EXECUTE) !== 0) faults.push(`segment ${name} is writable and executable`);
  }
  if (name === "__TEXT" && protection !== 5) faults.push("the code is not readable and executable alone");
  if (name === "__LINKEDIT" && protection !== 1) faults.push("__LINKEDIT is not readable alone");
  return faults;
}
