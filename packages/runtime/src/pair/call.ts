import { type Device, sameDevice } from "../device/device.js";
import { ArgumentError } from "../errors/index.js";
import { Tensor } from "../tensor/tensor.js";
import { checkGradientType, checkTensor, checkWanted, completeOptions, describeValue } from "./check.js";
import type { PairContract } from "./contract.js";
import type { GradientType } from "./types.js";

const common = ["wanted", "gradientType"] as const;

/** A call's arguments, checked and sorted. */
export interface ParsedCall {
  /** What is there, by the names of the contract. */
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** The differentiable inputs that are there. */
  readonly differentiable: readonly string[];
  readonly wanted: readonly string[];
  readonly gradientType: GradientType;
}

function isOptions(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || value instanceof Tensor) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Sorts positional parameters into inputs and a trailing options object, and checks all of them by the contract. */
export function parseCall(contract: PairContract, parameters: readonly unknown[]): ParsedCall {
  const names = Object.keys(contract.inputs);
  let count = parameters.length;
  while (count > 0 && parameters[count - 1] === undefined) count -= 1;
  const last = parameters[count - 1];
  // The first argument is a tensor always: an object there is someone else's tensor rather than options.
  const given: Record<string, unknown> = count > 1 && isOptions(last) ? last : {};
  if (count > 1 && isOptions(last)) count -= 1;
  if (count > names.length)
    throw new ArgumentError({
      operation: contract.name,
      expected: `at most ${names.length} tensors (${names.join(", ")}) and an options object`,
      received: `${describeValue(parameters[names.length])} after them`,
    });
  const inputs: Record<string, Tensor> = {};
  const devices = new Map<string, Device>();
  const differentiable: string[] = [];
  for (let position = 0; position < names.length; position += 1) {
    const name = names[position] as string;
    const input = contract.inputs[name] as PairContract["inputs"][string];
    const value = position < count ? parameters[position] : undefined;
    if ((value === undefined || value === null) && input.optional) continue;
    checkTensor(contract.name, name, value, input.dtypes);
    inputs[name] = value;
    devices.set(name, value.device);
    if (input.differentiable) differentiable.push(name);
  }
  sameDevice(contract.name, devices);
  return {
    inputs,
    options: completeOptions(contract, given, common),
    differentiable,
    wanted: checkWanted(contract, given.wanted as readonly string[] | undefined, differentiable),
    gradientType: checkGradientType(contract.name, given.gradientType ?? "float32"),
  };
}
