import type { Case } from "../measure/case.js";
import { type Peer, PeerUnavailable, type Prepared } from "../measure/peer.js";
import { LineChild } from "./child.js";
import { inputSets } from "./sets.js";

/** meTile's default, used for both. */
const epsilon = 1e-5;

/** Where a Python with PyTorch may be: in the path, and where Debian's packages install to. */
export const usualPythons: readonly string[] = ["python3", "/usr/bin/python3"];

/**
 * PyTorch's CPU allocator is malloc, and glibc's gives large blocks back to the system at once: each result would then cost
 * a page fault every 4 KiB, which takes several times as long as the operation. With these the process keeps its memory, as
 * meTile does, so that it is the operations that are compared.
 */
const memory = { MALLOC_MMAP_MAX_: "0", MALLOC_TRIM_THRESHOLD_: String(2 ** 40), MALLOC_TOP_PAD_: String(2 ** 28) };

/** What to say when there is none. */
const howToInstall = "apt-get install python3-torch";

/**
 * PyTorch eager in a Python process of its own, which measures on command so that its runs lie between the others'.
 * RMSNorm in Hugging Face's formula, layer_norm from torch.nn.functional; backward is autograd.grad over a graph that is
 * kept, without its forward pass.
 */
export class TorchPeer implements Peer {
  readonly name = "torch";
  readonly #script: string;
  readonly #candidates: readonly string[];
  readonly #bytes: (task: Case) => number;
  #child: LineChild | undefined;

  /**
   * @param script - the path of torch_peer.py
   * @param bytes - what a case reads and writes, for the number of input sets
   * @param candidates - interpreters: the first that has torch is taken
   */
  constructor(script: string, bytes: (task: Case) => number, candidates = usualPythons) {
    this.#script = script;
    this.#bytes = bytes;
    this.#candidates = candidates;
  }

  async start(threads: number): Promise<string> {
    const attempts: string[] = [];
    for (const command of this.#candidates) {
      const child = new LineChild(command, [this.#script], memory);
      try {
        const { version } = await child.ask({ command: "hello", threads });
        this.#child = child;
        return String(version);
      } catch (error) {
        attempts.push(`${command}: ${(error as Error).message}`);
        await child.close();
      }
    }
    throw new PeerUnavailable(`PyTorch was not found (${attempts.join("; ")}). To compare with it: ${howToInstall}`);
  }

  async prepare(task: Case): Promise<Prepared> {
    const child = this.#child;
    if (child === undefined) throw new PeerUnavailable("PyTorch was not started.");
    const { operation, pass, dtype, rows, columns } = task;
    await child.ask({
      command: "prepare",
      operation,
      pass,
      dtype,
      rows,
      columns,
      sets: inputSets(this.#bytes(task)),
      epsilon,
    });
    return {
      run: async () => Number((await child.ask({ command: "run" })).milliseconds),
      release: async () => {
        await child.ask({ command: "release" });
      },
    };
  }

  async stop(): Promise<void> {
    await this.#child?.close();
    this.#child = undefined;
  }
}
