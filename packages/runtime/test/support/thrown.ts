/** What a function throws; fails when it throws nothing. */
export function thrown<Failure extends Error = Error>(run: () => unknown): Failure {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    return error as Failure;
  }
  throw new Error(`nothing was thrown; the result is ${String(result)}`);
}

/** What a promise rejects with; fails when it resolves. */
export async function rejected<Failure extends Error = Error>(promise: Promise<unknown>): Promise<Failure> {
  let result: unknown;
  try {
    result = await promise;
  } catch (error) {
    return error as Failure;
  }
  throw new Error(`nothing was rejected; the result is ${String(result)}`);
}
