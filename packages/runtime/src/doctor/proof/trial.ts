import type { Device } from "../../device/device.js";
import type { FloatingDtype } from "../../dtype/dtype.js";
import type { Tensor } from "../../tensor/tensor.js";
import { Random } from "../../testing/random.js";
import { rounded } from "../../testing/rounding.js";
import { dtypeFor, type ExportedPair, triedInputs } from "./pairs.js";
import { type Sizes, shapesAt } from "./shapes.js";

/** A tensor as numbers. */
export interface Values {
  readonly values: Float64Array;
  readonly shape: readonly number[];
  readonly dtype: FloatingDtype;
}

export type NamedValues = Readonly<Record<string, Values>>;

/** What an operation gave. */
export interface Results {
  readonly outputs: NamedValues;
  readonly gradients: NamedValues;
}

/** A number for a name, to draw its values by. */
function seedOf(name: string): number {
  return [...name].reduce((seed, letter) => (Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7);
}

/** Random values of a shape that a type holds exactly. */
export function randomValues(name: string, shape: readonly number[], dtype: FloatingDtype): Values {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return { values: rounded(new Random(seedOf(name)).normal(size), dtype), shape, dtype };
}

/** Random inputs of a pair in a type, or undefined where its shapes cannot be made of these sizes. */
export function randomInputs({ pair }: ExportedPair, sizes: Sizes, dtype: FloatingDtype): NamedValues | undefined {
  const tried = triedInputs(pair.contract);
  const shapes = shapesAt(tried, pair.contract.bounds, sizes);
  if (shapes === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(tried).map(([name, input]) => [
      name,
      randomValues(name, shapes[name] ?? [], dtypeFor(input, dtype)),
    ]),
  );
}

/** Tensors and runs of one pair on one device, all of the runtime that the pair binds to. */
export class Trial {
  readonly #exported: ExportedPair;
  readonly #device: Device;

  constructor(exported: ExportedPair, device: Device) {
    this.#exported = exported;
    this.#device = device;
  }

  #tensor({ values, shape, dtype }: Values): Tensor {
    return this.#exported.family.runtime.tensor(Float32Array.from(values), [...shape], dtype, this.#device.name);
  }

  /** Parameters in the order of the contract; what is not there is left out. */
  #parameters(inputs: NamedValues): (Tensor | null)[] {
    const names = Object.keys(this.#exported.pair.contract.inputs);
    return names.map((name) => {
      const values = inputs[name];
      return values === undefined ? null : this.#tensor(values);
    });
  }

  #read(tensors: Readonly<Record<string, Tensor>>): NamedValues {
    return Object.fromEntries(
      Object.entries(tensors).map(([name, tensor]) => {
        const { shape, dtype } = tensor as Tensor<FloatingDtype>;
        return [name, { values: Float64Array.from(tensor.dataSync()), shape, dtype }];
      }),
    );
  }

  /** The outputs alone. */
  forward(inputs: NamedValues): NamedValues {
    const { pair, family } = this.#exported;
    return family.runtime.scope(() => {
      const { saved: _, ...outputs } = pair.forward(...this.#parameters(inputs));
      return this.#read(outputs as Readonly<Record<string, Tensor>>);
    });
  }

  /** Outputs and gradients, for random cotangents. */
  run(inputs: NamedValues): Results {
    const { pair, family } = this.#exported;
    return family.runtime.scope(() => {
      const { saved, ...rest } = pair.forward(...this.#parameters(inputs));
      const outputs = this.#read(rest as Readonly<Record<string, Tensor>>);
      const cotangents = Object.fromEntries(
        Object.entries(cotangentsOf(outputs)).map(([name, values]) => [name, this.#tensor(values)]),
      );
      return { outputs, gradients: this.#read(pair.backward(saved, cotangents)) };
    });
  }
}

/** Random cotangents of outputs. */
export function cotangentsOf(outputs: NamedValues): NamedValues {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { shape, dtype }]) => [name, randomValues(`cotangent ${name}`, shape, dtype)]),
  );
}
