import {
  type CompiledKernels,
  compileKernels,
  type Device,
  type FloatingDtype,
  type Tensor,
  zeros,
} from "@metile/runtime";
import { addParts, allocate, asRows, partialLaunch, type RowOperand, rowLaunch } from "@metile/runtime/family";
import { kernelText } from "../assets.js";
import { bytesOf } from "../measure/case.js";
import { inputSets } from "../peers/sets.js";
import type { Left } from "../timing/timer.js";
import { type Candidate, candidateOf, macrosOf, variantOf } from "./candidates.js";
import type { TunedKernel } from "./kernels.js";

const compiled = new Map<string, CompiledKernels>();

function kernelsOf(file: string): CompiledKernels {
  let found = compiled.get(file);
  if (found === undefined) {
    found = compileKernels(kernelText(file), file);
    compiled.set(file, found);
  }
  return found;
}

/** `scratch` of ROW_ARGS: 128 floats. */
const threadgroup = Object.freeze({ scratch: 512 });

/** A kernel with its buffers on a device, ready to be launched in any way. */
export class BenchKernel {
  readonly kernel: TunedKernel;
  /** What a launch reads and writes, at the least. */
  readonly bytes: number;
  readonly #device: Device;
  readonly #rows: number;
  readonly #columns: number;
  readonly #dtype: FloatingDtype;
  /** Buffers of (rows, columns) in turn. */
  readonly #sets: readonly Readonly<Record<string, Tensor>>[];
  /** Weights and what is kept of rows. */
  readonly #shared: Readonly<Record<string, Tensor>>;
  readonly #macros = new Map<string, Readonly<Record<string, number>>>();
  #turn = 0;

  /** @param sets - of buffers; by default as many as reach past the caches */
  constructor(kernel: TunedKernel, device: Device, rows: number, columns: number, dtype: FloatingDtype, sets?: number) {
    const { reads, writes, weights, values, sums } = kernel;
    this.kernel = kernel;
    this.#device = device;
    this.#rows = rows;
    this.#columns = columns;
    this.#dtype = dtype;
    const one = bytesOf(dtype);
    this.bytes = (reads.length + writes.length) * rows * columns * one + (weights.length + sums) * columns * one;
    const count = sets ?? inputSets(this.bytes, true);
    const ready = (shape: readonly number[], type: FloatingDtype): Tensor => {
      const made = zeros(shape, type, device);
      // Small numbers that are alike in every type; no kernel's time depends on them.
      device.native.fill(made.storage.slot, 0, made.size * bytesOf(type), 0x3c);
      return made;
    };
    this.#sets = Array.from({ length: count }, () =>
      Object.fromEntries([...reads, ...writes].map((name) => [name, ready([rows, columns], dtype)])),
    );
    this.#shared = Object.fromEntries([
      ...weights.map((name) => [name, ready([columns], dtype)]),
      [values[0], ready([rows * values[1]], "float32")],
    ]);
  }

  /** What the table picks for these buffers. */
  table(): Candidate {
    const set = this.#sets[0] as Record<string, Tensor>;
    const tensors = { ...set, ...this.#shared };
    const { reads, writes, weights, sums } = this.kernel;
    const operands: RowOperand[] = [
      ...reads.map((name) => asRows(tensors[name] as Tensor)),
      ...[...weights, ...writes].map((name) => tensors[name] as Tensor),
    ];
    const launch = sums > 0 ? partialLaunch : rowLaunch;
    return candidateOf(launch(this.#rows, this.#columns, operands));
  }

  /** Launches once, with the sums over rows where the kernel leaves parts of them. */
  launch(candidate: Candidate): Left {
    const { name, file, reads, writes, weights, values, sums, constants } = this.kernel;
    const set = this.#sets[this.#turn % this.#sets.length] as Record<string, Tensor>;
    this.#turn += 1;
    const parts = sums > 0 ? allocate(this.#device, [candidate.groups, sums, this.#columns], "float32") : undefined;
    const named = (names: readonly string[], from: Readonly<Record<string, Tensor>>) =>
      Object.fromEntries(names.map((one) => [one, from[one]]));
    const strides = Object.fromEntries(reads.map((one) => [`${one}Stride`, this.#columns]));
    kernelsOf(file)[name]?.(
      {
        ...named([...reads, ...writes], set),
        ...named([...weights, values[0]], this.#shared),
        ...(parts && { parts }),
      },
      { rowCount: this.#rows, width: this.#columns, ...strides, ...constants },
      { groups: candidate.groups, threads: candidate.threads, macros: this.#macrosOf(candidate), threadgroup },
    );
    const totals: Tensor[] = [];
    if (parts !== undefined)
      for (let index = 0; index < sums; index += 1) totals.push(addParts(parts, index, [this.#columns], this.#dtype));
    return { dispose: () => [...totals, ...(parts ? [parts] : [])].forEach((tensor) => void tensor.dispose()) };
  }

  /** One object a variant: the binding looks at its identity. */
  #macrosOf(candidate: Candidate): Readonly<Record<string, number>> {
    const key = variantOf(candidate);
    let macros = this.#macros.get(key);
    if (macros === undefined) {
      macros = Object.freeze(macrosOf(candidate));
      this.#macros.set(key, macros);
    }
    return macros;
  }

  dispose(): void {
    for (const set of [...this.#sets, this.#shared]) for (const tensor of Object.values(set)) tensor.dispose();
    this.#device.synchronizeSync();
    this.#device.trim();
  }
}

/** Elements a packet of rows that are aligned: 16 bytes, or what divides the width. */
export function packFor(columns: number, dtype: FloatingDtype): number {
  let pack = 16 / bytesOf(dtype);
  while (columns % pack !== 0) pack /= 2;
  return pack;
}
