/** The compile server: one request a line on standard input, one answer a line on standard output, until the input ends. */
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { hostTarget } from "@metile/compiler";
import { compileModule, type ModuleOptions } from "./module/compile.js";
import { ModuleError, type ModuleRequest } from "./module/request.js";
import { type ModuleTarget, Toolchain } from "./module/toolchain.js";

/** Requests that are compiled at the same time. */
const PARALLEL = 2;

const { values } = parseArgs({
  options: {
    target: { type: "string", default: hostTarget() ?? "linux-x64" },
    watch: { type: "boolean", default: false },
    cache: { type: "string" },
  },
});
if (values.target !== "linux-x64" && values.target !== "linux-arm64") {
  console.error(`--target ${values.target}: linux-x64 or linux-arm64 was expected`);
  process.exit(2);
}

let toolchain: Toolchain | undefined;

/** Options of every request; the compiler is looked for at the first. */
function options(): ModuleOptions {
  toolchain ??= new Toolchain(values.target as ModuleTarget);
  return { toolchain, mode: values.watch ? "watched" : "plain", cacheFolder: values.cache };
}

async function answer(line: string): Promise<string> {
  let id: unknown;
  try {
    const request = JSON.parse(line) as ModuleRequest & { readonly id?: unknown };
    id = request.id;
    const { module, kernels } = await compileModule(request, options());
    return JSON.stringify({ id, ok: true, module, kernels });
  } catch (error) {
    const message = error instanceof ModuleError ? error.message : `the emulator's compile server: ${String(error)}`;
    return JSON.stringify({ id, ok: false, error: message });
  }
}

const waiting: string[] = [];
let running = 0;
let written = Promise.resolve();

function begin(): void {
  while (running < PARALLEL && waiting.length > 0) {
    running += 1;
    const made = answer(waiting.shift() as string);
    const finish = () => {
      running -= 1;
      begin();
    };
    made.then(finish, finish);
    // answers keep the order of requests
    written = written.then(async () => {
      process.stdout.write(`${await made}\n`);
    });
  }
}

process.stdout.on("error", () => process.exit(0)); // whoever asked is gone

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  waiting.push(line);
  begin();
}
