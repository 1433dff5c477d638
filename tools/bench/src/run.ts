import { type Device, version } from "@metile/runtime";
import type { Settings } from "./arguments.js";
import { locate, normsVersion, pythonScript } from "./assets.js";
import { type HostCost, hostCosts, peerHostCosts } from "./host/host-cost.js";
import { nvidiaDriver } from "./machine.js";
import { type Case, casesOf, describeCase, type Pass, type Size } from "./measure/case.js";
import { type Peer, PeerUnavailable } from "./measure/peer.js";
import { measureCase } from "./measure/runner.js";
import { randomFill } from "./operations/fill.js";
import { bytesOfCase, operationNamed } from "./operations/index.js";
import { CopyPeer } from "./peers/copy.js";
import { MetilePeer } from "./peers/metile.js";
import { TorchPeer, usualPythons } from "./peers/torch.js";
import { TorchCudaPeer, TorchCudaProcess, torchVariants } from "./peers/torch-cuda.js";
import { type CaseFigures, figuresOf } from "./report/figures.js";
import type { Progress } from "./report/progress.js";
import { describeMachine, type RunRecord, writeJson } from "./report/record.js";
import { digits } from "./report/tables.js";
import { statedFor, targetOf } from "./report/targets.js";
import { DeviceQueue } from "./timing/gpu-queue.js";
import { GpuTimer } from "./timing/gpu-timer.js";
import { WallTimer } from "./timing/timer.js";

/** What a run is made of, once it is known what it runs on. */
interface Plan {
  readonly cases: readonly Case[];
  readonly peers: readonly Peer[];
  readonly timer: GpuTimer | undefined;
  /** Frees what the timer holds. */
  dispose(): void;
}

function casesFor(settings: Settings, device: Device): Case[] {
  const stated = device.isGpu ? statedFor.gpu : statedFor.cpu;
  const sizes: readonly Size[] = settings.sizes ?? stated.columns.map((columns) => ({ rows: stated.rows, columns }));
  const passes: readonly Pass[] =
    settings.passes ?? (device.isGpu ? ["forward", "forward+backward"] : ["forward", "backward"]);
  const dtypes = settings.dtypes ?? (device.isGpu ? (["bfloat16"] as const) : (["float32", "bfloat16"] as const));
  const { operations, gradientType } = settings;
  return casesOf({ operations, sizes, passes, dtypes, gradientType, rounding: "separate" });
}

function plan(settings: Settings, device: Device): Plan {
  const queue = device.isGpu ? new DeviceQueue(device) : undefined;
  const timer = queue && new GpuTimer(queue, settings.calls);
  const timing = timer ?? new WallTimer(device);
  const others: Peer[] = [];
  const { python, liger } = settings;
  const candidates = python === undefined ? usualPythons : [python];
  if (device.name === "cpu") others.push(new TorchPeer(pythonScript("torch_peer.py"), bytesOfCase, candidates));
  if (device.name.startsWith("cuda")) {
    const script = pythonScript("cuda_peer.py");
    const shared = new TorchCudaProcess({ script, candidates, bytes: bytesOfCase, liger, calls: settings.calls });
    others.push(...torchVariants.map((name) => new TorchCudaPeer(name, shared)));
  }
  const wanted = others.filter(({ name }) => settings.peers?.includes(name) ?? true);
  const metile = new MetilePeer(device, operationNamed, version, randomFill(1), timing);
  const own = [metile, new CopyPeer(device, bytesOfCase, timing)];
  return {
    cases: casesFor(settings, device),
    peers: [...own, ...wanted],
    timer,
    dispose: () => queue?.dispose(),
  };
}

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
      if (!Object.values(absent).includes(error.message)) tell(error.message);
      absent[peer.name] = error.message;
    }
  }
  return { here, versions, absent };
}

/** "0.0361 ms, 93 % of the floor, 1.49× liger", of whatever is known. */
function summary({ milliseconds, shares, ratio, rival }: CaseFigures): string {
  const parts = [`${digits(milliseconds.metile?.median ?? 0)} ms`];
  if (shares.metile !== undefined) parts.push(`${Math.round(shares.metile * 100)} % of the floor`);
  if (ratio !== undefined) parts.push(`${digits(ratio)}× ${rival}`);
  return parts.join(", ");
}

/**
 * Measures everything that was asked for. The record is written anew after every case, so that whatever ends the run, what was
 * measured is there.
 *
 * @param stop - ends it after the sample at hand
 */
export async function run(
  settings: Settings,
  device: Device,
  stop: AbortSignal,
  progress: Progress,
): Promise<RunRecord> {
  const began = new Date();
  const threads = settings.threads ?? device.threads;
  progress.now("starting peers");
  const { cases: tasks, peers, timer, dispose } = plan(settings, device);
  const { here, versions, absent } = await start(peers, threads, (line) => progress.line(line));
  const names = here.map(({ name }) => name).join(", ");
  progress.line(`${device.info.hardware}, ${device.name} ${device.info.level} (${device.info.reason}): ${names}`);
  const cases: CaseFigures[] = [];
  const host: HostCost[] = [];
  const driver = device.name.startsWith("cuda") ? nvidiaDriver() : undefined;
  const record = (): RunRecord => ({
    format: 2,
    date: began.toISOString(),
    seconds: (Date.now() - began.getTime()) / 1000,
    stopped: stop.aborted,
    ...describeMachine(device, driver),
    versions,
    absent,
    settings: { ...settings, threads },
    timer: timer?.counts,
    cases,
    host,
  });
  const save = (): void => writeJson(locate(settings.out), record());
  for (const [index, task] of tasks.entries()) {
    if (stop.aborted) break;
    const name = `${index + 1}/${tasks.length} ${describeCase(task)}`;
    const result = await measureCase(task, here, {
      repeats: settings.repeats,
      // Nothing of a peer spins on a GPU once it has answered.
      ...(device.isGpu && { rest: 0 }),
      signal: stop,
      progress: (round, rounds, peer) =>
        progress.now(peer === undefined ? `${name}: ${round + 1} of ${rounds}` : `${name}: preparing ${peer}`),
    });
    const figures = figuresOf(result, bytesOfCase(task), targetOf(device.name, task));
    if (figures.milliseconds.metile !== undefined) progress.line(`${name}: ${summary(figures)}`);
    for (const [peer, message] of Object.entries(figures.failures))
      progress.line(`${name}: ${peer} failed: ${message}`);
    if (Object.keys(figures.milliseconds).length > 0 || Object.keys(figures.failures).length > 0) cases.push(figures);
    save();
  }
  progress.now("host cost");
  const dtype = device.isGpu ? (tasks[0]?.dtype ?? "bfloat16") : "float32";
  const options = { iterations: settings.hostIterations, signal: stop, dtype };
  host.push(...(await hostCosts(settings.operations.map(operationNamed), device, options)));
  host.push(
    ...(await peerHostCosts(settings.operations, here, dtype, stop, (peer, message) =>
      progress.line(`host cost: ${peer} failed: ${message}`),
    )),
  );
  progress.clear();
  for (const peer of here) await peer.stop();
  dispose();
  save();
  return record();
}
