import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type DeviceName, device as deviceByName, MetileError } from "@metile/runtime";
import { parseSettings, type Settings, UsageError, usage } from "./arguments.js";
import { demo } from "./demo.js";
import { fileProse, repositoryProse } from "./text/prose.js";

// This file lies one folder below the package, as a source and when it is built; the package two below the root.
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A path from where the caller is: turbo starts the demo in its own folder and tells the one it was started in. */
function locate(path: string): string {
  return resolve(process.env.TURBO_INVOCATION_DIR ?? process.cwd(), path);
}

/**
 * The command: reads the arguments, runs the demo.
 *
 * @returns the exit status: 0, 1 for an error above its tolerance or a failure, 2 for a wrong command line, 130 when it was
 * stopped
 */
export async function main(parameters: readonly string[]): Promise<number> {
  let settings: Settings | undefined;
  try {
    settings = parseSettings(parameters);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    return 2;
  }
  if (settings === undefined) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const stop = new AbortController();
  const onSignal = (): void => {
    // The second one means it.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    const prose = settings.path === undefined ? repositoryProse(root) : fileProse(locate(settings.path));
    // Any name may be asked for: the runtime knows which there are, and says so.
    const device = deviceByName(settings.device as DeviceName | undefined);
    const good = await demo({ settings, prose, device, output: process.stdout, signal: stop.signal });
    if (!good) return 1;
    return stop.signal.aborted ? 130 : 0;
  } catch (error) {
    // What went wrong is in the message; a stack is for what nobody foresaw.
    if (!(error instanceof MetileError) && !(error instanceof Error && "code" in error)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}
