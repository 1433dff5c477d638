import { checkHeader, checkSegments } from "./check/layout.js";
import { checkExports, checkImports, type Naming } from "./check/names.js";
import { checkSignature } from "./check/signature.js";
import { checkUnwinding } from "./check/unwinding.js";
import { type MachOImage, readImage } from "./file/image.js";

/** What a library is to be. */
export interface Expectation extends Naming {
  /** Longest that the file may be. */
  readonly maximumBytes: number;
  /** Name that it carries as its own: `@rpath/…`. */
  readonly installName: string;
}

/**
 * Everything about a Mach-O library that would keep macOS 13 on Apple silicon from loading it, or that a release must not
 * have: wrong processor or system, segments off their pages or writable and executable, symbols from nowhere, weak ones,
 * more or fewer exports than expected, frames that exceptions cannot pass, pages that are not those that were signed.
 *
 * @param file - the library's bytes
 * @returns one sentence for each fault; empty for a good library
 *
 * @example
 * ```ts
 * checkMachO(readFileSync("metile_runtime.node"), addonExpectation); // []
 * ```
 */
export function checkMachO(file: Buffer, expectation: Expectation): string[] {
  const faults: string[] = [];
  const image = attempt(() => readImage(file), "load commands", faults);
  if (image === null) return faults;
  if (file.length > expectation.maximumBytes) {
    faults.push(`${file.length} bytes, more than ${expectation.maximumBytes}`);
  }
  if (image.installName !== expectation.installName) {
    faults.push(`its own name is ${image.installName ?? "missing"} and not ${expectation.installName}`);
  }
  const parts: [string, (file: Buffer, image: MachOImage) => string[]][] = [
    ["header", (_, found) => checkHeader(found)],
    ["segments", checkSegments],
    ["imports", (bytes, found) => checkImports(bytes, found, expectation)],
    ["exports", (bytes, found) => checkExports(bytes, found, expectation)],
    ["unwinding", checkUnwinding],
    ["signature", checkSignature],
  ];
  for (const [name, check] of parts) faults.push(...(attempt(() => check(file, image), name, faults) ?? []));
  return faults;
}

/** Reading past the end of a damaged file throws; that is a fault like others. */
function attempt<Result>(read: () => Result, part: string, faults: string[]): Result | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    faults.push(`${part}: ${error.message}`);
    return null;
  }
}
