import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What a child process answers. */
export type Answer = Readonly<Record<string, unknown>>;

interface Pending {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A process that answers JSON objects, one a line, in order. An answer with `error`, and every request when the process is
 * gone, rejects.
 */
export class LineChild {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #pending: Pending[] = [];
  readonly #ended: Promise<void>;
  #gone: Error | undefined;
  #complaint = "";

  /**
   * @param environment - variables beside those of this process
   */
  constructor(command: string, parameters: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(command, parameters, { stdio: "pipe", env: { ...process.env, ...environment } });
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-2000);
    });
    // A write after the process has ended fails here; the end itself is told by "close".
    this.#process.stdin.on("error", () => {});
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#answer(line));
    this.#ended = new Promise((resolve) => {
      this.#process.on("error", (error) => {
        this.#end(error.message);
        resolve();
      });
      this.#process.on("close", (code, signal) => {
        const last = this.#complaint.trim().split("\n").at(-1);
        this.#end(`${command} ended with ${signal ?? `status ${code}`}${last ? `: ${last}` : ""}`);
        resolve();
      });
    });
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param patience - milliseconds; a process that takes longer is ended. Default: it may take for ever
   */
  ask(request: Readonly<Record<string, unknown>>, patience?: number): Promise<Answer> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    let timer: NodeJS.Timeout | undefined;
    return new Promise<Answer>((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      this.#process.stdin.write(`${JSON.stringify(request)}\n`);
      if (patience === undefined) return;
      timer = setTimeout(() => {
        this.#end(`no answer to ${JSON.stringify(request.command)} within ${patience / 1000} s`);
        this.#process.kill("SIGKILL");
      }, patience);
    }).finally(() => clearTimeout(timer));
  }

  /** Closes its input, which ends it, and waits; it is killed after two seconds. */
  async close(): Promise<void> {
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 2000);
    await this.#ended;
    clearTimeout(timer);
  }

  #answer(line: string): void {
    const waiting = this.#pending.shift();
    if (waiting === undefined) {
      // Said before it was asked: why it is about to end.
      this.#complaint = line;
      return;
    }
    try {
      const answer = JSON.parse(line) as Answer;
      if (typeof answer.error === "string") waiting.reject(new Error(answer.error));
      else waiting.resolve(answer);
    } catch (cause) {
      waiting.reject(new Error(`expected an answer in JSON, received ${JSON.stringify(line)}`, { cause }));
    }
  }

  #end(message: string): void {
    this.#gone ??= new Error(message);
    for (const waiting of this.#pending.splice(0)) waiting.reject(this.#gone);
  }
}
