import { expect } from "vitest";
import { device } from "../../src/index.js";

/** Bytes and storages in use. */
export function inUse(): { live: number; storages: number } {
  const { live, storages } = device().memory;
  return { live, storages };
}

/** Runs a function and expects exactly as many bytes and storages in use after it as before. */
export function balanced<Result>(run: () => Result): Result {
  const before = inUse();
  const result = run();
  if (!(result instanceof Promise)) {
    expect(inUse()).toEqual(before);
    return result;
  }
  return result.then((value: unknown) => {
    expect(inUse()).toEqual(before);
    return value;
  }) as Result;
}
