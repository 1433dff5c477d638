import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { device as defaultDevice, version } from "@metile/runtime";
import { parseSettings, type Settings, UsageError, usage } from "./arguments.js";
import { hostCosts } from "./host/host-cost.js";
import { type Case, casesOf, describeCase } from "./measure/case.js";
import { type Peer, PeerUnavailable } from "./measure/peer.js";
import { measureCase } from "./measure/runner.js";
import { operationNamed, operations } from "./operations/index.js";
import { CopyPeer } from "./peers/copy.js";
import { MetilePeer } from "./peers/metile.js";
import { TorchPeer } from "./peers/torch.js";
import { type Figures, figuresOf, statedFor } from "./report/figures.js";
import { Progress, widthOf } from "./report/progress.js";
import { describeMachine, type RunRecord, writeRecord } from "./report/record.js";
import { digits, hostTable, operationTable } from "./report/tables.js";

// This file is one folder deep both as a source and when it is built.
const folder = fileURLToPath(new URL("..", import.meta.url));

/** A path from where the caller is: turbo starts the bench in its own folder and tells the one it was started in. */
function locate(path: string): string {
  return resolve(process.env.TURBO_INVOCATION_DIR ?? process.cwd(), path);
}

const normsVersion = (): string => createRequire(import.meta.url)("@metile/norms/package.json").version as string;

const bytes = (task: Case): number => operationNamed(task.operation).bytes(task.pass, task);

/** Starts the peers that are here; tells of those that are not. */
async function start(peers: readonly Peer[], threads: number, tell: (line: string) => void) {
  const versions: Record<string, string> = { node: process.version, norms: normsVersion() };
  const absent: Record<string, string> = {};
  const here: Peer[] = [];
  for (const peer of peers) {
    try {
      versions[peer.name] = await peer.start(threads);
      here.push(peer);
    } catch (error) {
      if (!(error instanceof PeerUnavailable)) throw error;
      absent[peer.name] = error.message;
      tell(error.message);
    }
  }
  return { here, versions, absent };
}

/** Measures everything that was asked for, prints the tables and writes the record. */
async function run(settings: Settings, stop: AbortSignal): Promise<number> {
  const device = defaultDevice();
  const progress = new Progress(process.stderr);
  const threads = settings.threads ?? device.threads;
  const { here, versions, absent } = await start(
    [
      new MetilePeer(device, operationNamed, version),
      new CopyPeer(device, bytes),
      new TorchPeer(resolve(folder, "python/torch_peer.py"), bytes, settings.python),
    ],
    threads,
    (line) => progress.line(line),
  );
  progress.line(
    `${device.info.hardware}, ${device.name} ${device.info.level}, ${threads} threads (${device.info.reason})`,
  );
  const cases: Figures[] = [];
  const { rows, columns, gradientType } = settings;
  const size = { rows, columns, gradientType, rounding: "separate" } as const;
  for (const task of casesOf(settings.operations, settings.dtypes, size)) {
    if (stop.aborted) break;
    const name = describeCase(task);
    progress.now(`${name}: preparing`);
    const result = await measureCase(task, here, {
      repeats: settings.repeats,
      signal: stop,
      progress: (round, rounds) => progress.now(`${name}: ${round + 1} of ${rounds}`),
    });
    const target = operationNamed(task.operation).targets[task.pass]?.[task.dtype];
    const figures = figuresOf(result, bytes(task), target);
    const { metile } = figures.milliseconds;
    if (metile !== undefined) progress.line(`${name}: ${digits(metile.median)} ms`);
    for (const [peer, message] of Object.entries(figures.failures))
      progress.line(`${name}: ${peer} failed: ${message}`);
    if (Object.keys(figures.milliseconds).length > 0 || Object.keys(figures.failures).length > 0) cases.push(figures);
  }
  progress.now("host cost");
  const host = await hostCosts(settings.operations.map(operationNamed), device, {
    iterations: settings.hostIterations,
    signal: stop,
  });
  progress.clear();
  for (const peer of here) await peer.stop();
  const stopped = stop.aborted;
  const record: RunRecord = {
    format: 1,
    date: new Date().toISOString(),
    stopped,
    ...describeMachine(device),
    versions,
    absent,
    settings: { ...settings },
    cases,
    host,
  };
  report(record, settings);
  writeRecord(locate(settings.out), record);
  if (cases.some(({ failures }) => "metile" in failures)) return 1;
  return stopped ? 130 : 0;
}

function report({ cases, host, absent, stopped }: RunRecord, { rows, columns, gradientType, out }: Settings): void {
  const width = widthOf(process.stdout);
  const print = (text = ""): void => void process.stdout.write(`${text}\n`);
  print();
  if (stopped) print("Stopped: this is what was measured until then.");
  if (cases.length > 0) {
    print(`${rows} × ${columns}, medians; gradients in ${gradientType === "input" ? "the input's type" : "float32"}`);
    print(operationTable(cases, width));
    if (rows !== statedFor.rows || columns !== statedFor.columns)
      print(`Targets are stated for ${statedFor.rows} × ${statedFor.columns} and not judged at this size.`);
    for (const message of Object.values(absent)) print(message);
    print();
  }
  if (host.length > 0) print(`${hostTable(host, width)}\n`);
  print(`Written to ${locate(out)}`);
}

/**
 * The command: reads the arguments, measures, reports.
 *
 * @returns the exit status: 0, 1 when meTile failed somewhere, 2 for a wrong command line, 130 when it was stopped
 */
export async function main(parameters: readonly string[]): Promise<number> {
  let settings: Settings | undefined;
  try {
    settings = parseSettings(parameters, [...operations.keys()], {
      out: resolve(folder, "results/latest.json"),
      python: process.env.METILE_PYTHON,
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    return 2;
  }
  if (settings === undefined) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const stop = new AbortController();
  const onSignal = (): void => {
    // The second one means it.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return run(settings, stop.signal);
}
