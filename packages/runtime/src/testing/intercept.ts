import type { NativeDevice } from "../native/types.js";

/** Methods of the addon's device that a test puts its own in front of; each gets the real one to call. */
export type Interception = {
  readonly [Name in keyof NativeDevice as NativeDevice[Name] extends (...parameters: never[]) => unknown
    ? Name
    : never]?: (real: NativeDevice[Name]) => NativeDevice[Name];
};

/**
 * Puts functions in front of the addon's methods.
 * @returns a function that takes them away again
 */
export function intercept(native: NativeDevice, interception: Interception): () => void {
  const before = new Map<string, PropertyDescriptor | undefined>();
  for (const [name, wrap] of Object.entries(interception)) {
    const key = name as keyof NativeDevice;
    const real = native[key] as (...parameters: never[]) => unknown;
    const value = (wrap as (method: unknown) => unknown)(real.bind(native));
    before.set(name, Object.getOwnPropertyDescriptor(native, name));
    Object.defineProperty(native, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      Reflect.deleteProperty(native, name);
      if (descriptor !== undefined) Object.defineProperty(native, name, descriptor);
    }
  };
}
