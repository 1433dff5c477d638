import type { Sighting } from "./finding.js";
import type { View } from "./view.js";

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
 * Reads what clang wrote about views.
 *
 * @param name - name of the file that holds the views, a token a line
 */
export function readComplaints(text: string, name: string, views: readonly View[]): Sighting[] {
  return readDiagnostics(text, name).flatMap(({ reason, line, candidates }) => {
    const { view, token } = locate(views, line - 1);
    return token === undefined ? [] : [{ view, finding: { token, reason, notes: candidates.slice(0, SHOWN) } }];
  });
}

/** Groups clang's lines by complaint. */
function readDiagnostics(text: string, name: string): Complaint[] {
  const complaints: { reason: string; line: number; candidates: string[] }[] = [];
  for (const written of text.split("\n")) {
    const [, file = "", at, severity, message] = DIAGNOSTIC.exec(written) ?? [];
    if (message === undefined) continue;
    const line = file.endsWith(name) ? Number(at) : 0;
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
