import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompileError } from "@metile/compiler";
import { hash, hashOfFolder, once } from "../build/files.js";
import { CLANG_WATCHED_FLAGS, PLAIN_FLAGS, WATCHED_FLAGS } from "../build/flags.js";
import { DEFAULT_CACHE, WRITERS } from "../build/folders.js";
import { readPlaces } from "../lines.js";
import { encodePlaces, sharedBytes } from "./image.js";
import { type Mode, makeMachine } from "./machine.js";
import { ModuleError, type ModuleRequest, type ModuleResult } from "./request.js";
import { type ModuleText, writeModule } from "./text.js";
import { HEADERS, type Toolchain } from "./toolchain.js";

/** How modules are compiled. */
export interface ModuleOptions {
  readonly toolchain: Toolchain;
  readonly mode: Mode;
  /** @default node_modules/.cache of this package */
  readonly cacheFolder?: string | undefined;
}

/**
 * Compiles all kernels of a text to one shared library, once for each text, macros, mode, compiler and target. The library
 * exports `metile_module_run` (`target/emulator/module.h`).
 *
 * @throws ModuleError when the text does not compile
 */
export async function compileModule(request: ModuleRequest, options: ModuleOptions): Promise<ModuleResult> {
  const { toolchain, mode, cacheFolder = join(DEFAULT_CACHE, "modules") } = options;
  const machine = await makeMachine(toolchain, mode, cacheFolder);
  const flags = mode === "plain" ? PLAIN_FLAGS : watchedFlags(toolchain);
  const { text, macros, languageVersion } = request;
  const named = Object.entries(macros).sort(([a], [b]) => (a < b ? -1 : 1));
  const facts = [
    text,
    named,
    languageVersion,
    flags,
    toolchain.identity,
    machine,
    [...HEADERS, ...WRITERS].map(hashOfFolder),
  ];
  const path = join(cacheFolder, hash(JSON.stringify(facts)));
  const module = `${path}.so`;
  const description = `${path}.json`; // it appears last
  if (!existsSync(description)) {
    await once(description, async (temporary) => {
      const written = writeModule(request);
      await build(written, { toolchain, mode, machine, flags, module, temporary });
      const shared = sharedBytes(readFileSync(module));
      const kernels = written.kernels.map((kernel) => ({
        name: kernel.name,
        threadgroupBytes: shared.get(kernel.name) ?? 0,
        buffers: kernel.buffers,
        threadgroups: kernel.threadgroups,
      }));
      writeFileSync(temporary, JSON.stringify(kernels));
    });
  }
  return { module, kernels: JSON.parse(readFileSync(description, "utf8")) };
}

function watchedFlags({ compiler }: Toolchain): string[] {
  return [...WATCHED_FLAGS, ...(compiler.kind === "gcc" ? [] : CLANG_WATCHED_FLAGS)];
}

interface Build {
  readonly toolchain: Toolchain;
  readonly mode: Mode;
  readonly machine: string;
  readonly flags: readonly string[];
  readonly module: string;
  readonly temporary: string;
}

async function build({ text, names }: ModuleText, steps: Build): Promise<void> {
  const { toolchain, mode, machine, flags, module, temporary } = steps;
  const [source, object, library, places] = ["cpp", "o", "so", "places"].map((end) => `${temporary}.${end}`) as [
    string,
    string,
    string,
    string,
  ];
  try {
    writeFileSync(source, text);
    await toolchain.compileKernels(source, object, flags).catch((error: unknown) => {
      throw error instanceof CompileError ? new ModuleError(clean(error.diagnostics, source)) : error;
    });
    await toolchain.link([object, machine], library);
    writeFileSync(places, encodePlaces(readPlaces(readFileSync(library), names), mode === "plain"));
    renameSync(places, `${module}.places`);
    renameSync(library, module);
  } finally {
    for (const path of [source, object, library, places]) rmSync(path, { force: true });
  }
}

/** A compiler's words without paths of this machine and without its count of errors. */
function clean(diagnostics: string, source: string): string {
  let text = diagnostics.replaceAll(source, "program_source");
  for (const folder of HEADERS) text = text.replaceAll(`${folder}/`, "");
  return text.replace(/^\d+ (?:errors?|warnings?).* generated\.\n?/gm, "").trimEnd();
}
