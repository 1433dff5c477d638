import { ArgumentError } from "../errors/index.js";
import { operationNumber } from "../kernel/operations.js";
import { untrack } from "../scope/tracker.js";
import type { Tensor } from "../tensor/tensor.js";
import { type ParsedCall, parseCall } from "./call.js";
import { checkGradientType, checkNames, checkWanted, describeValue } from "./check.js";
import { contained } from "./contain.js";
import { type DescribedOutput, readCotangents } from "./cotangents.js";
import { deepFreeze } from "./freeze.js";
import { gradientsObject } from "./gradients.js";
import { currentRecorder } from "./recorder.js";
import { Saved } from "./saved.js";
import type {
  BackwardCall,
  BackwardOptions,
  CallResult,
  Cotangents,
  Gradients,
  GradientType,
  Pair,
  PairImplementation,
} from "./types.js";

/** What a Saved of a pair keeps beside the pair's own state: what a cotangent must look like. */
interface PairState<State> {
  readonly own: State;
  readonly gradientType: GradientType;
  readonly outputs: Readonly<Record<string, DescribedOutput>>;
}

/**
 * Makes an operation with its gradient from a forward and a backward function. Checks of arguments, options, cotangents
 * and lifetimes follow from the contract; tensors made on the way are disposed of.
 *
 * @param implementation - the contract as data, and the two functions
 * @returns the operation: callable, with `.forward`, `.backward` and `.contract`
 * @example
 * const double = definePair<[source: Tensor], "output", "source", object, null>({
 *   contract,
 *   forward: ({ inputs }) => ({ outputs: { output: scale(inputs.source, 2) }, save: {}, state: null }),
 *   backward: ({ cotangents }) => ({ source: scale(cotangents.output, 2) }),
 * });
 */
export function definePair<
  Parameters extends readonly unknown[],
  Output extends string,
  Input extends string,
  Options,
  State,
>(implementation: PairImplementation<Output, Input, Options, State>): Pair<Parameters, Output, Input> {
  const contract = deepFreeze(implementation.contract);
  const { name } = contract;
  const outputNames = Object.keys(contract.outputs) as Output[];
  const number = operationNumber(name);
  type Outputs = { readonly [Key in Output]: Tensor };
  type Kept = Saved<PairState<State>>;

  function run(
    call: ParsedCall,
    wanted: readonly string[],
    save: boolean,
  ): { tensors: Outputs; saved: Kept | undefined } {
    return contained<Outputs, Kept | undefined>(number, () => {
      const {
        outputs,
        save: kept,
        state,
      } = implementation.forward({
        operation: name,
        inputs: call.inputs as { readonly [Key in Input]?: Tensor },
        options: call.options as Options,
        wanted: new Set(wanted),
      });
      const described: Record<string, DescribedOutput> = {};
      for (const output of outputNames) {
        const { shape, dtype, device } = outputs[output];
        described[output] = { shape, dtype, device };
      }
      const about = { own: state, gradientType: call.gradientType, outputs: described };
      return {
        tensors: outputs,
        saved: save ? new Saved(name, wanted, Object.keys(call.inputs), about, kept) : undefined,
      };
    });
  }

  function pair(...parameters: unknown[]): CallResult<Output> {
    const call = parseCall(contract, parameters);
    const recorder = currentRecorder();
    const asked = recorder === undefined ? [] : checkWanted(contract, recorder.wants(call.inputs), call.differentiable);
    const wanted = asked.filter((input) => call.wanted.includes(input));
    const { tensors: outputs, saved } = run(call, wanted, wanted.length > 0);
    if (recorder !== undefined && saved !== undefined) {
      untrack(saved); // the recorder keeps it for as long as it likes, whatever scope the call was in
      saved.guard();
      try {
        recorder.record({
          name,
          inputs: call.inputs,
          outputs,
          saved,
          backward: (cotangents, names) => backward(saved, cotangents as Cotangents<Output>, { wanted: names }),
        });
      } catch (error) {
        saved.dispose();
        for (const output of outputNames) outputs[output].dispose();
        throw error;
      }
    }
    return (outputNames.length === 1 ? outputs[outputNames[0] as Output] : outputs) as CallResult<Output>;
  }

  function forward(...parameters: unknown[]): Outputs & { readonly saved: Kept } {
    const call = parseCall(contract, parameters);
    const { tensors, saved } = run(call, call.wanted, true);
    return { ...tensors, saved: saved as Kept };
  }

  function backward(saved: Kept, given: Cotangents<Output>, options: BackwardOptions = {}): Gradients<Input> {
    if (!(saved instanceof Saved) || saved.operation !== name)
      throw new ArgumentError({
        operation: name,
        argument: "saved",
        expected: `what ${name}.forward saved`,
        received: saved instanceof Saved ? `what ${saved.operation}.forward saved` : describeValue(saved),
      });
    saved.check(name);
    checkNames(name, "options", options, ["wanted", "gradientType"]);
    const { own, outputs, gradientType: chosen } = saved.state;
    const cotangents = readCotangents(contract, given, outputs);
    const wanted = checkWanted(contract, options.wanted, saved.wanted) as readonly Input[];
    const gradientType = checkGradientType(name, options.gradientType ?? chosen);
    const { tensors } = contained(number, () => {
      const call: BackwardCall<Input, Output, State> = {
        operation: name,
        state: own,
        saved: (key) => saved.tensor(key),
        require: (key) => {
          const tensor = saved.tensor(key);
          if (tensor === undefined) throw new Error(`${name}: nothing was saved as "${key}"`);
          return tensor;
        },
        cotangents: cotangents as { readonly [Key in Output]?: Tensor },
        wanted: new Set(wanted),
        gradientDtype: (dtype) => (gradientType === "input" ? dtype : "float32"),
      };
      const computed = implementation.backward(call) as Readonly<Record<string, Tensor | undefined>>;
      const tensors: Record<string, Tensor> = {};
      for (const input of wanted) {
        const gradient = computed[input];
        if (gradient === undefined) throw new Error(`${name}: the backward pass gave no gradient for "${input}"`);
        tensors[input] = gradient;
      }
      return { tensors, saved: undefined };
    });
    return gradientsObject<Input>(contract, wanted, tensors);
  }

  return Object.assign(pair, { forward, backward, contract }) as unknown as Pair<Parameters, Output, Input>;
}
