import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { checkMachO } from "./check.js";
import { addonExpectation, kernelExpectation } from "./expectations.js";
import { readExports } from "./file/exports.js";
import { rangeOf, readImage } from "./file/image.js";

const [command, ...files] = process.argv.slice(2);
if (command !== "check" || files.length === 0) {
  console.error("usage: metile-macho check file…   an addon (*.node) or libraries of kernels (*.dylib)");
  process.exitCode = 2;
} else {
  for (const path of files) {
    const file = readFileSync(path);
    const faults = checkMachO(file, expectationOf(path, file));
    console.log(`${path}: ${faults.length === 0 ? `good, ${file.length} bytes` : `${faults.length} faults`}`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

/** Of a library of kernels alone, nobody knows which kernels it should have: only its one fixed symbol is asked for. */
function expectationOf(path: string, file: Buffer) {
  if (!path.endsWith(".dylib")) return addonExpectation;
  return kernelExpectation(basename(path), [...exportsOf(file), "_metile_artefact_version"]);
}

function exportsOf(file: Buffer): string[] {
  try {
    const { dyld } = readImage(file);
    return dyld === null ? [] : readExports(rangeOf(file, dyld.exports)).map(({ name }) => name);
  } catch {
    return []; // the check tells what is wrong
  }
}
