/** Where progress is written to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The width of tables where the terminal does not tell. */
const usualWidth = 120;

/** How many characters a line of an output may have. */
export function widthOf(output: Output): number {
  return output.columns ?? usualWidth;
}

/**
 * Progress of a run: on a terminal one line that is written over, elsewhere nothing but the lines that stay.
 *
 * @example
 * const progress = new Progress(process.stderr);
 * progress.now("rmsNorm forward float32: 3 of 15");
 * progress.line("rmsNorm forward float32: 31.2 ms");
 */
export class Progress {
  readonly #output: Output;
  #shown = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Says what goes on at the moment. */
  now(text: string): void {
    if (this.#output.isTTY !== true) return;
    this.#output.write(`\r\u001b[2K${text.slice(0, widthOf(this.#output) - 1)}`);
    this.#shown = true;
  }

  /** Says something that stays. */
  line(text: string): void {
    this.clear();
    this.#output.write(`${text}\n`);
  }

  /** Takes the passing line away. */
  clear(): void {
    if (this.#shown) this.#output.write("\r\u001b[2K");
    this.#shown = false;
  }
}
