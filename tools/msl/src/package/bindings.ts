import { ARTEFACT_VERSION } from "../cpp/library.js";
import { type ConstantReflection, type KernelReflection, STATUS_BUFFER } from "../kernel/reflection.js";
import { printKey, printLiteral, printTemplate } from "./literal.js";

/** What the generated module of a package is made of. */
export interface BindingsInput {
  /** `norms` of @metile/norms. */
  readonly family: string;
  /** Module that exports defineKernels. */
  readonly runtime: string;
  /** Self-contained texts by file name. */
  readonly sources: Readonly<Record<string, string>>;
  readonly kernels: readonly KernelReflection[];
}

/** `rms_norm_forward` → `rmsNormForward`. */
export function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Writes `generated/index.ts`: types of every kernel's buffers and constants, and the kernels themselves.
 *
 * The same input gives the same bytes, and the formatter would change none of them.
 */
export function writeBindings({ family, runtime, sources, kernels }: BindingsInput): string {
  const directory = 'new URL("../cpu/", import.meta.url)';
  const texts = Object.entries(sources).map(([name, text]) => `  ${printKey(name)}: ${printTemplate(text)},\n`);
  return [
    `// Written by \`metile-msl build\` from the kernels of this package: edit those.\n`,
    `import { type BufferArgument, defineKernels, type LaunchShape } from ${JSON.stringify(runtime)};\n`,
    ...kernels.map((kernel) => `\n${writeTypes(kernel)}`),
    "\n/** The kernels of this package as functions. A call queues a launch and returns at once. */\n",
    "export interface Kernels {\n",
    ...kernels.map(writeMethod),
    "}\n\n",
    "/** The texts of this package, each with its includes in place, by file name. */\n",
    `export const sources = {\n${texts.join("")}};\n\n`,
    "export const kernels = defineKernels<Kernels>({\n",
    `  family: ${JSON.stringify(family)},\n`,
    `  artefactVersion: ${ARTEFACT_VERSION},\n`,
    `  directory: ${directory},\n`,
    "  sources,\n",
    `  kernels: ${printLiteral(kernels, 2, 11)},\n`,
    "});\n",
  ].join("");
}

function typeName({ name }: KernelReflection): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

function writeTypes(kernel: KernelReflection): string {
  const type = typeName(kernel);
  const buffers = kernel.buffers
    .filter(({ name }) => name !== STATUS_BUFFER)
    .map(({ name, element, access, optional }) => {
      const member = optional
        ? `${camelCase(name)}?: BufferArgument | null | undefined`
        : `${camelCase(name)}: BufferArgument`;
      return `  /** ${access === "read" ? "Read" : "Written"}, elements of type ${element}. */\n  ${member};\n`;
    });
  const constants = kernel.constants
    .filter(({ automatic }) => automatic === undefined)
    .map((constant) => `  ${camelCase(constant.name)}: ${constantType(constant)};\n`);
  return [
    declare(`Buffers of \`${kernel.name}\` (${kernel.file}).`, `${type}Buffers`, buffers),
    declare(`Constants of \`${kernel.name}\`.`, `${type}Constants`, constants),
  ].join("\n");
}

function declare(comment: string, name: string, members: readonly string[]): string {
  const head = `/** ${comment} */\n`;
  if (members.length === 0) return `${head}export type ${name} = Record<string, never>;\n`;
  return `${head}export interface ${name} {\n${members.join("")}}\n`;
}

function constantType({ type }: ConstantReflection): string {
  if (type === "bool") return "boolean";
  const lanes = Number(/\d$/.exec(type)?.[0] ?? 1);
  return lanes === 1 ? "number" : `readonly [${new Array(lanes).fill("number").join(", ")}]`;
}

function writeMethod(kernel: KernelReflection): string {
  const type = typeName(kernel);
  const parameters = [`buffers: ${type}Buffers`, `constants: ${type}Constants`, "shape: LaunchShape"];
  const line = `  ${camelCase(kernel.name)}(${parameters.join(", ")}): void;\n`;
  if (line.length <= 121) return line;
  return `  ${camelCase(kernel.name)}(\n${parameters.map((parameter) => `    ${parameter},\n`).join("")}  ): void;\n`;
}
