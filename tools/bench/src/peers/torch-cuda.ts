import type { FloatingDtype } from "@metile/runtime";
import type { Case } from "../measure/case.js";
import { type Peer, PeerUnavailable, type Prepared } from "../measure/peer.js";
import { callsFor } from "../timing/gpu-timer.js";
import { LineChild } from "./child.js";
import { inputSets } from "./sets.js";

/** meTile's default, used for all. */
const epsilon = 1e-5;

/** What the process can run. */
export type TorchVariant = "eager" | "compile" | "liger";

export const torchVariants: readonly TorchVariant[] = ["eager", "compile", "liger"];

/** Compilers take their time; past this a process is given up. */
const patience = 240_000;

interface Hello {
  readonly versions: Readonly<Record<string, string>>;
  readonly absent: Readonly<Record<string, string>>;
}

/** How the process is started. */
export interface TorchCudaOptions {
  /** The path of cuda_peer.py. */
  readonly script: string;
  /** Interpreters to try, in this order. */
  readonly candidates: readonly string[];
  /** What a case reads and writes. */
  readonly bytes: (task: Case) => number;
  /** A folder to import Liger from. */
  readonly liger?: string | undefined;
  /** Calls in a sample; by default what the bytes suggest. */
  readonly calls?: number | undefined;
}

/**
 * The Python process that the peers of an NVIDIA GPU share: started once, with one set of inputs for all of them. It measures on
 * command, so that its samples lie between the others' and only one process uses the GPU at a time.
 */
export class TorchCudaProcess {
  readonly #options: TorchCudaOptions;
  #child: LineChild | undefined;
  #hello: Promise<Hello> | undefined;
  #task: Case | undefined;
  #users = 0;

  constructor(options: TorchCudaOptions) {
    this.#options = options;
  }

  /** What the process says of itself. @throws PeerUnavailable when there is none */
  hello(): Promise<Hello> {
    this.#hello ??= this.#start();
    return this.#hello;
  }

  async #start(): Promise<Hello> {
    const { candidates, script, liger } = this.#options;
    const path = [liger, process.env.PYTHONPATH].filter(Boolean).join(":");
    const attempts: string[] = [];
    for (const command of candidates) {
      const child = new LineChild(command, [script], {
        PYTHONDONTWRITEBYTECODE: "1",
        ...(path !== "" && { PYTHONPATH: path }),
      });
      try {
        const hello = await child.ask({ command: "hello" }, patience);
        this.#child = child;
        return hello as unknown as Hello;
      } catch (error) {
        attempts.push(`${command}: ${(error as Error).message}`);
        await child.close();
      }
    }
    throw new PeerUnavailable(
      `PyTorch for CUDA was not found (${attempts.join("; ")}). To compare with it, name a Python that has it: --python PATH`,
    );
  }

  /** Makes a case's inputs, unless they are there for another peer. */
  async take(task: Case): Promise<void> {
    this.#users += 1;
    if (this.#task === task) return;
    this.#task = undefined;
    const { operation, pass, dtype, rows, columns } = task;
    const sets = inputSets(this.#options.bytes(task), true);
    await this.ask({ command: "prepare", operation, pass, dtype, rows, columns, sets, epsilon });
    this.#task = task;
  }

  /** Frees the inputs when the last peer has done so. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#task = undefined;
    await this.ask({ command: "release" });
  }

  ask(request: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    if (this.#child === undefined) return Promise.reject(new PeerUnavailable("PyTorch was not started."));
    return this.#child.ask(request, patience);
  }

  calls(task: Case): number {
    return this.#options.calls ?? callsFor(this.#options.bytes(task));
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    await child?.close();
  }
}

/** Calls of a sample of host cost, and samples. */
const hostCalls = 20;
const hostSamples = 15;

/** PyTorch eager in Hugging Face's formulas, the same through torch.compile, or Liger. */
export class TorchCudaPeer implements Peer {
  readonly name: TorchVariant;
  readonly #process: TorchCudaProcess;

  constructor(name: TorchVariant, process: TorchCudaProcess) {
    this.name = name;
    this.#process = process;
  }

  async start(): Promise<string> {
    const { versions, absent } = await this.#process.hello();
    const version = versions[this.name];
    if (version !== undefined) return version;
    const how = this.name === "liger" ? " To compare with it, name the folder of liger_kernel: --liger DIR" : "";
    throw new PeerUnavailable(`${this.name} was not found (${absent[this.name] ?? "no reason given"}).${how}`);
  }

  async prepare(task: Case): Promise<Prepared> {
    const shared = this.#process;
    const variant = this.name;
    try {
      await shared.take(task);
      const { peakBytes } = await shared.ask({ command: "warm", variant });
      const calls = shared.calls(task);
      return {
        peakBytes: Number(peakBytes),
        run: async () => Number((await shared.ask({ command: "run", variant, calls })).milliseconds),
        release: () => shared.leave(),
      };
    } catch (error) {
      await shared.leave().catch(() => {});
      throw error;
    }
  }

  async hostCost(operation: string, dtype: FloatingDtype): Promise<number[]> {
    const request = { variant: this.name, operation, dtype, calls: hostCalls, samples: hostSamples, epsilon };
    const { microseconds } = await this.#process.ask({ command: "host", ...request });
    return microseconds as number[];
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}
