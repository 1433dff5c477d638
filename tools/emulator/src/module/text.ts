import {
  findMistakes,
  type GpuText,
  type KernelReflection,
  type KernelSyntax,
  MslError,
  type Parameter,
  readGpuText,
  Source,
  SourceLoader,
} from "@metile/msl";
import { EmulatorError } from "../error.js";
import { indexOf, shareThreadgroupVariables, writeMacros, writeThread } from "../text.js";
import { LineDirectives, UNNAMED } from "./directives.js";
import { type ModuleBuffer, ModuleError, type ModuleRequest } from "./request.js";

/** C++ of a module, and what its kernels take. */
export interface ModuleText {
  readonly text: string;
  readonly kernels: readonly {
    readonly name: string;
    readonly buffers: readonly ModuleBuffer[];
    readonly threadgroups: readonly number[];
  }[];
  /** Names of files in it. */
  readonly names: readonly string[];
}

/** Macros of Metal's compiler. */
function metalMacros({ macros, languageVersion = "3.1" }: ModuleRequest): Record<string, string> {
  const [major = "3", minor = "1"] = languageVersion.split(".");
  const version = String(Number(major) * 100 + Number(minor) * 10);
  return { __METAL__: "1", __METAL_MACOS__: "1", __METAL_VERSION__: version, ...macros };
}

/**
 * The C++ of a module with all kernels of a text.
 *
 * @throws ModuleError for what Metal's compiler would reject, as far as it is found without a compiler
 */
export function writeModule(request: ModuleRequest): ModuleText {
  const macros = metalMacros(request);
  const directives = new LineDirectives(request.text);
  const read = readText(request, macros, directives);
  const { kernels, syntax } = read;
  const threads = kernels.map((kernel, index) => {
    const declared = syntax[index] as KernelSyntax;
    return writeKernel(index, kernel, declared, directives.locate(kernel.line).file);
  });
  const table = threads.map(({ entry }) => entry).join(",\n  ");
  const text = [
    '#include "emulator/module.h"',
    "#include <metal_stdlib>",
    `${writeMacros(macros)}#line 1 "${UNNAMED}"`,
    shareThreadgroupVariables(request.text),
    ...Object.keys(macros).map((name) => `#undef ${name}`),
    '#line 1 "thread"',
    ...threads.map(({ code }) => code),
    `static const MetileKernel metile_kernels[] = {\n  ${table || "{}"}\n};`,
    `METILE_MODULE(${kernels.length})`,
    "",
  ].join("\n");
  return {
    text,
    kernels: syntax.map(({ name, parameters }) => ({
      name: name.text,
      buffers: parameters.flatMap(describeBuffer),
      threadgroups: parameters.filter(({ space }) => space === "threadgroup").map(indexOf),
    })),
    names: [...directives.names],
  };
}

function readText(request: ModuleRequest, macros: Record<string, string>, directives: LineDirectives): GpuText {
  const source = new Source(UNNAMED, request.text);
  try {
    const read = readGpuText(source, new SourceLoader("/"), macros);
    const mistakes = findMistakes(read);
    if (mistakes.length > 0) throw new ModuleError(mistakes.map((mistake) => spell(mistake, directives)).join("\n"));
    refuseNewTypes(read, Number(macros.__METAL_VERSION__), directives);
    return read;
  } catch (error) {
    if (error instanceof MslError) throw new ModuleError(spell(error, directives));
    throw error;
  }
}

function spell({ line, column, reason }: MslError, directives: LineDirectives): string {
  const place = directives.locate(line);
  return `${place.file}:${place.line}:${column}: error: ${reason}`;
}

/** bfloat came with version 3.1 of the language. */
function refuseNewTypes({ tokens }: GpuText, version: number, directives: LineDirectives): void {
  if (version >= 310) return;
  const token = tokens.find(({ text }) => /^bfloat[234]?$/.test(text));
  if (token === undefined) return;
  const { line, column } = token.source.position((token.site ?? token).start);
  const place = directives.locate(line);
  throw new ModuleError(`${place.file}:${place.line}:${column}: error: unknown type name '${token.text}'`);
}

function writeKernel(
  index: number,
  kernel: KernelReflection,
  syntax: KernelSyntax,
  file: string,
): { code: string; entry: string } {
  const bound = syntax.parameters.filter(({ space }) => space !== null && space !== "thread");
  const rows = bound.map((parameter) => {
    return `{"${parameter.name.text}", ${indexOf(parameter)}, ${accessOf(parameter)}}`;
  });
  const parameters = rows.length === 0 ? "nullptr" : `metile_parameters_${index}`;
  const table = rows.length === 0 ? "" : `static const MetileParameter ${parameters}[] = {${rows.join(", ")}};\n`;
  try {
    const code = `${table}${writeThread(`metile_thread_${index}`, kernel, syntax)}`;
    const words = [
      JSON.stringify(kernel.name),
      JSON.stringify(file),
      `metile_thread_${index}`,
      parameters,
      rows.length,
    ];
    return { code, entry: `{${words.join(", ")}}` };
  } catch (error) {
    if (error instanceof EmulatorError) throw new ModuleError(`${file}:${kernel.line}:1: error: ${error.message}`);
    throw error;
  }
}

function accessOf({ space, isConst }: Parameter): string {
  if (space === "threadgroup") return "metile_scratch";
  if (space === "constant") return "metile_constant";
  return isConst ? "metile_reads" : "metile_writes";
}

const BYTES: Readonly<Record<string, number>> = {
  ...{ bool: 1, char: 1, uchar: 1, short: 2, ushort: 2, half: 2, bfloat: 2 },
  ...{ int: 4, uint: 4, float: 4, long: 8, ulong: 8 },
};

function describeBuffer(parameter: Parameter): ModuleBuffer[] {
  const { space, isConst, indirection, spelling } = parameter;
  if (space !== "device" && space !== "constant") return [];
  const [, scalar = "", lanes = "1"] = /^(.*?)([234])?$/.exec(spelling.replace("metal::", "")) ?? [];
  const bytes = (BYTES[scalar] ?? Number.NaN) * (lanes === "3" ? 4 : Number(lanes));
  return [
    {
      index: indexOf(parameter),
      kind: space,
      writable: space === "device" && !isConst,
      bytes: indirection === "&" && !Number.isNaN(bytes) ? bytes : null,
    },
  ];
}
