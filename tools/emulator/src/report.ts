/** What can be wrong with a launch. */
export type ReportKind =
  /** Two threads of a threadgroup touch the same bytes, one of them writes, and no barrier lies between. */
  | "race"
  /** The same between threadgroups, which nothing orders. */
  | "race-between-threadgroups"
  /** Threads wait at different barriers, or some have returned. */
  | "barrier-divergence"
  /** Lanes of a simdgroup are not all at the same simd function. */
  | "simd-divergence"
  /** A lane is read that does not exist. */
  | "missing-lane"
  /** An access beyond a buffer or beyond threadgroup memory. */
  | "out-of-bounds"
  /** An index beyond an array whose size is in its type. */
  | "index-out-of-bounds"
  /** A vector at an address that is no multiple of its alignment. */
  | "misaligned"
  | "uninitialised-threadgroup"
  | "uninitialised-output"
  /** Bytes of an output that no thread wrote. */
  | "unwritten-output"
  /** A write through a pointer to what a kernel declares constant. */
  | "write-to-constant"
  /** An access to a variable of another thread. */
  | "foreign-private"
  | "division"
  | "crash"
  | "timeout";

/** One thing that is wrong, and where. */
export interface Report {
  readonly kind: ReportKind;
  /** Name of the kernel's file. */
  readonly file: string;
  /** Line of the kernel's file that leads to it, from 1. */
  readonly line: number;
  readonly message: string;
  /** Threadgroup and thread that did it first. */
  readonly group: number;
  readonly thread: number;
  /** Calls that lead to it, innermost first, as `file:line`; shared headers are among them. */
  readonly calls: readonly string[];
}

/** A place in a source. */
export interface Location {
  readonly file: string;
  readonly line: number;
}

/** What {@link readReports} needs to name places. */
export interface ReportContext {
  /** Name of the kernel's file. */
  readonly file: string;
  /** Line of the kernel, for what belongs to no place in it. */
  readonly line: number;
  /** The place of an address of code. */
  readonly locate: (address: number) => Location | undefined;
}

/**
 * Reads what the program wrote: reports, one a line, then how the run ended.
 *
 * @returns reports without repetitions, and the last line
 */
export function readReports(output: string, context: ReportContext): { reports: Report[]; outcome: string } {
  const lines = output.trimEnd().split("\n");
  const reports = new Map<string, Report>();
  for (const text of lines) {
    if (!text.startsWith("report\t")) continue;
    const report = readReport(text.split("\t"), context);
    const key = `${report.kind} ${report.file}:${report.line}`;
    if (!reports.has(key)) reports.set(key, report);
  }
  return { reports: [...reports.values()], outcome: lines.at(-1) ?? "" };
}

function readReport(fields: readonly string[], { file, line, locate }: ReportContext): Report {
  const [, kind, group, thread, other, addresses, message] = fields as [string, ReportKind, ...string[]];
  const calls = (addresses ?? "")
    .split(",")
    .flatMap((address) => (address === "" ? [] : [locate(Number.parseInt(address, 16) - 1)]))
    .filter((location) => location !== undefined);
  const own = calls.find((location) => location.file === file);
  const earlier = other === "0" ? undefined : locate(Number.parseInt(other as string, 16) - 1);
  const before = earlier === undefined ? "" : `, at ${spell(earlier)}`;
  return {
    kind,
    file: (own ?? calls[0])?.file ?? file,
    line: (own ?? calls[0])?.line ?? line,
    message: `${message}${before}`,
    group: Number(group),
    thread: Number(thread),
    calls: calls.map(spell),
  };
}

function spell({ file, line }: Location): string {
  return `${file}:${line}`;
}
