import type { Device } from "../device/device.js";
import type { Dtype } from "../dtype/dtype.js";
import { ArgumentError, DeviceError, DtypeError } from "../errors/index.js";
import { Tensor } from "../tensor/tensor.js";
import { checkShapeIs, checkTensor, describeValue } from "./check.js";
import type { PairContract } from "./contract.js";

/** What a cotangent must look like, and where it must live. */
export interface DescribedOutput {
  readonly shape: readonly number[];
  readonly dtype: Dtype;
  readonly device: Device;
}

type Described = Readonly<Record<string, DescribedOutput>>;

function checkCotangent(operation: string, argument: string, value: unknown, output: Described[string]): Tensor {
  checkTensor(operation, argument, value);
  if (value.dtype !== output.dtype && value.dtype !== "float32")
    throw new DtypeError({
      operation,
      argument,
      expected: output.dtype === "float32" ? "float32" : `${output.dtype} or float32`,
      received: value.dtype,
      hint: "Convert it with tensor.cast(dtype).",
    });
  checkShapeIs(operation, argument, value, output.shape);
  if (value.device !== output.device)
    throw new DeviceError({
      operation,
      argument,
      expected: `a tensor on ${output.device.name}, where the forward pass ran`,
      received: `one on ${value.device.name}`,
      hint: "Move it with tensor.to(device).",
    });
  return value;
}

/** The cotangents of a backward call by the names of outputs, checked; a missing one is absent and means zero. */
export function readCotangents(contract: PairContract, given: unknown, outputs: Described): Record<string, Tensor> {
  const { name } = contract;
  const names = Object.keys(contract.outputs);
  if (given instanceof Tensor) {
    if (names.length > 1)
      throw new ArgumentError({
        operation: name,
        argument: "cotangents",
        expected: `an object with any of ${names.join(", ")}, since there are several outputs`,
        received: "a tensor",
      });
    const only = names[0] as string;
    return { [only]: checkCotangent(name, "cotangent", given, outputs[only] as Described[string]) };
  }
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given) || Array.isArray(given))
    throw new ArgumentError({
      operation: name,
      argument: "cotangents",
      expected: `a tensor, or an object with any of ${names.join(", ")}`,
      received: describeValue(given),
    });
  const cotangents: Record<string, Tensor> = {};
  for (const [key, value] of Object.entries(given)) {
    const output = Object.hasOwn(outputs, key) ? outputs[key] : undefined;
    if (output === undefined)
      throw new ArgumentError({
        operation: name,
        argument: "cotangents",
        expected: names.join(", "),
        received: `"${key}"`,
      });
    if (value !== undefined && value !== null)
      cotangents[key] = checkCotangent(name, `cotangents.${key}`, value, output);
  }
  if (Object.keys(cotangents).length === 0)
    throw new ArgumentError({
      operation: name,
      argument: "cotangents",
      expected: `a cotangent for at least one of ${names.join(", ")}`,
      received: "none",
    });
  return cotangents;
}
