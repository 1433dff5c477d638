import { DeviceError } from "../errors/index.js";
import { version } from "../version.js";

/** What all copies of the runtime in one JavaScript environment share. */
export interface SharedState {
  readonly version: string;
  readonly location: string;
  /** Devices by name; opened at first use. */
  readonly devices: Map<string, unknown>;
  /** The tape that is recording, if one is. */
  recorder: unknown;
  /** What the open scopes have to dispose of; made at first use. */
  trackers: unknown;
  /** Names of operations and the messages of their device faults; made at first use. */
  operations: unknown;
  /** Descriptors of the packages whose kernels were made callable: what the doctor looks through. */
  readonly kernels: unknown[];
}

const key = Symbol.for("metile.runtime");

/** The state that the first copy made, of whatever version it is. */
function existing(): SharedState {
  const holder = globalThis as { [key]?: SharedState };
  holder[key] ??= {
    version,
    location: import.meta.url,
    devices: new Map(),
    recorder: undefined,
    trackers: undefined,
    operations: undefined,
    kernels: [],
  };
  return holder[key];
}

/**
 * The state of the runtime in this environment. It hangs on the global object and not on the addon, since two installed
 * copies would also load two addons. Copies of one version share it; two versions in one process are refused.
 */
export function shared(): SharedState {
  const state = existing();
  if (state.version !== version) {
    throw new DeviceError({
      operation: "@metile/runtime",
      expected: "one version of the runtime in a process",
      received: `${state.version} (${state.location}) and ${version} (${import.meta.url})`,
      hint: "Run npm ls @metile/runtime, and let all families use one version.",
    });
  }
  return state;
}

/** Makes a package's kernels known. It happens at import, where a second version is not refused yet: its are left out. */
export function registerKernels(descriptor: unknown): void {
  const state = existing();
  if (state.version === version) state.kernels.push(descriptor);
}
