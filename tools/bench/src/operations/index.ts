import type { Case } from "../measure/case.js";
import { addRmsNorm } from "./add-rms-norm.js";
import { layerNorm } from "./layer-norm.js";
import type { Operation } from "./operation.js";
import { rmsNorm } from "./rms-norm.js";

/** What the bench knows, by name, in the order of the table. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [rmsNorm, layerNorm, addRmsNorm].map((operation) => [operation.name, operation]),
);

/**
 * The operation of a name.
 * @throws RangeError when there is none
 */
export function operationNamed(name: string): Operation {
  const found = operations.get(name);
  if (found === undefined)
    throw new RangeError(`expected an operation among ${[...operations.keys()].join(", ")}, received "${name}".`);
  return found;
}

/** Bytes that a case has to read and write, at the least. */
export function bytesOfCase(task: Case): number {
  return operationNamed(task.operation).bytes(task.pass, task);
}
