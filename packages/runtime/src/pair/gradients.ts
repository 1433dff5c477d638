import { ArgumentError } from "../errors/index.js";
import type { Tensor } from "../tensor/tensor.js";
import type { PairContract } from "./contract.js";
import type { Gradients } from "./types.js";

const prototypes = new Map<PairContract, object>();

/**
 * An object whose properties throw by name: the prototype of gradients, so that a gradient which was not computed is never
 * read as undefined.
 */
function absentGradients(contract: PairContract): object {
  let prototype = prototypes.get(contract);
  if (prototype === undefined) {
    prototype = {};
    for (const [input, { differentiable }] of Object.entries(contract.inputs))
      Object.defineProperty(prototype, input, {
        get() {
          throw new ArgumentError({
            operation: contract.name,
            argument: input,
            expected: "a gradient that was asked for",
            received: differentiable
              ? "one that was not wanted, or an input that was not given"
              : "an input without gradient",
            hint: differentiable
              ? `Name "${input}" in wanted, at forward and backward, or leave wanted out.`
              : undefined,
          });
        },
      });
    prototypes.set(contract, prototype);
  }
  return prototype;
}

/** The gradients that were wanted, as own properties; the others throw when read. */
export function gradientsObject<Input extends string>(
  contract: PairContract,
  wanted: readonly Input[],
  computed: Readonly<Record<string, Tensor>>,
): Gradients<Input> {
  const gradients = Object.create(absentGradients(contract)) as object;
  for (const input of wanted) Object.defineProperty(gradients, input, { value: computed[input], enumerable: true });
  return gradients as Gradients<Input>;
}
