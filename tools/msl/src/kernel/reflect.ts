import { evaluate } from "../preprocess/condition.js";
import { errorAt } from "../text/token.js";
import type { Attribute } from "./attribute.js";
import { canonicalType, type Parameter, spell } from "./parameter.js";
import type { KernelSyntax } from "./parse.js";
import {
  type AttributeReflection,
  type BufferReflection,
  type ConstantReflection,
  type KernelReflection,
  STATUS_BUFFER,
  type ThreadgroupReflection,
} from "./reflection.js";
import { BUFFER_LIMIT, BUILTINS, CONSTANT_TYPES, ELEMENT_TYPES } from "./types.js";

/** What {@link reflectKernel} knows about the file around a kernel. */
export interface ReflectionContext {
  /** Names that stand for other types. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Type macros that the file knows. */
  readonly typeMacros: ReadonlySet<string>;
  /** Those that the kernel varies over, in order. */
  readonly macros: readonly string[];
}

/**
 * Reads a kernel's interface off its signature and checks it.
 *
 * @throws MslError when a parameter is none that a launch can bind
 */
export function reflectKernel(kernel: KernelSyntax, context: ReflectionContext): KernelReflection {
  const reader = new SignatureReader(context);
  for (const parameter of kernel.parameters) reader.read(parameter);
  const { name } = kernel;
  const maxThreads = readMaxThreads(kernel.attributes);
  return {
    name: name.text,
    macros: context.macros,
    ...reader.finish(),
    ...(maxThreads !== undefined && { maxThreads }),
    line: name.source.position((name.site ?? name).start).line,
    file: name.source.name,
  };
}

function readMaxThreads(attributes: readonly Attribute[]): string | undefined {
  let maxThreads: string | undefined;
  for (const { name, argument } of attributes) {
    if (name.text !== "max_total_threads_per_threadgroup") {
      throw errorAt(name, `unknown attribute [[${name.text}]] of a kernel`);
    }
    if (argument === null || argument.length === 0) throw errorAt(name, `[[${name.text}(n)]] needs a number`);
    maxThreads = spell(argument);
  }
  return maxThreads;
}

class SignatureReader {
  readonly #context: ReflectionContext;
  readonly #parameters = new Map<string, Parameter>();
  readonly #buffers: Omit<BufferReflection, "optional">[] = [];
  readonly #constants: Omit<ConstantReflection, "automatic">[] = [];
  readonly #threadgroup: ThreadgroupReflection[] = [];
  readonly #attributes: AttributeReflection[] = [];
  /** Who has an index: `buffer 3` by "weight". */
  readonly #taken = new Map<string, string>();

  constructor(context: ReflectionContext) {
    this.#context = context;
  }

  read(parameter: Parameter): void {
    const { name, attributes } = parameter;
    if (this.#parameters.has(name.text)) throw errorAt(name, `two parameters are called ${name.text}`);
    this.#parameters.set(name.text, parameter);
    const [attribute, second] = attributes;
    if (attribute === undefined) throw errorAt(name, missingAttribute(parameter));
    if (second !== undefined) throw errorAt(second.name, `${name.text} has two attributes; one was expected`);
    const kind = attribute.name.text;
    if (kind === "buffer") this.#readBuffer(parameter, this.#index(parameter, attribute, BUFFER_LIMIT));
    else if (kind === "threadgroup") this.#readThreadgroup(parameter, this.#index(parameter, attribute, BUFFER_LIMIT));
    else this.#readBuiltin(parameter, attribute);
  }

  finish(): Pick<KernelReflection, "buffers" | "constants" | "threadgroup" | "attributes"> {
    const flags = new Map<string, string>(); // buffer → its flag
    const constants = this.#constants.map((constant) => {
      if (!constant.name.startsWith("has_")) return constant;
      const automatic = constant.name.slice("has_".length);
      this.#checkFlag(constant, automatic);
      flags.set(automatic, constant.name);
      return { ...constant, automatic };
    });
    const buffers = this.#buffers.map((buffer) => ({ ...buffer, optional: flags.has(buffer.name) }));
    return { buffers, constants, threadgroup: this.#threadgroup, attributes: this.#attributes };
  }

  #checkFlag({ name, type }: { name: string; type: string }, buffer: string): void {
    const token = (this.#parameters.get(name) as Parameter).name;
    if (!this.#buffers.some((candidate) => candidate.name === buffer)) {
      throw errorAt(token, `${name} tells whether buffer ${buffer} is bound, but there is no such buffer`);
    }
    if (!["uint", "int", "bool"].includes(type)) throw errorAt(token, `${name} is a flag: uint, int or bool`);
  }

  #index({ name }: Parameter, { name: kind, argument }: Attribute, limit: number): number {
    if (argument === null || argument.length === 0) throw errorAt(kind, `[[${kind.text}(n)]] needs an index`);
    const value = evaluate(argument, kind);
    if (value < 0n || value >= BigInt(limit)) {
      throw errorAt(argument[0] ?? kind, `${kind.text} index ${value} is out of range: 0 to ${limit - 1}`);
    }
    const key = `${kind.text} index ${value}`;
    const other = this.#taken.get(key);
    if (other !== undefined) throw errorAt(name, `${key} is used twice: by "${other}" and "${name.text}"`);
    this.#taken.set(key, name.text);
    return Number(value);
  }

  #readBuffer(parameter: Parameter, index: number): void {
    const { name, space, indirection } = parameter;
    if ((space !== "device" && space !== "constant") || indirection === null) {
      throw errorAt(name, `buffer ${name.text} is a device or constant pointer, or a constant reference`);
    }
    const type = canonicalType(parameter.spelling, this.#context.aliases);
    if (space === "constant" && indirection === "&") {
      if (!CONSTANT_TYPES.has(type)) {
        throw errorAt(parameter.typeToken, unknownType(type, "constant", [...CONSTANT_TYPES]));
      }
      this.#constants.push({ name: name.text, index, type });
      return;
    }
    this.#checkElement(parameter, type);
    if (name.text === STATUS_BUFFER && (!/^(?:atomic_)?uint$/.test(type) || parameter.isConst || space !== "device")) {
      throw errorAt(name, `${name.text} holds a launch's status words: device atomic_uint* or device uint*`);
    }
    const access = parameter.isConst || space === "constant" ? "read" : "write";
    this.#buffers.push({ name: name.text, index, element: type, access });
  }

  #readThreadgroup(parameter: Parameter, index: number): void {
    const { name, space, indirection } = parameter;
    if (space !== "threadgroup" || indirection !== "*") throw errorAt(name, `${name.text} is a threadgroup pointer`);
    const element = canonicalType(parameter.spelling, this.#context.aliases);
    this.#checkElement(parameter, element);
    this.#threadgroup.push({ index, name: name.text, element });
  }

  #checkElement({ typeToken }: Parameter, type: string): void {
    if (ELEMENT_TYPES.has(type) || this.#context.typeMacros.has(type)) return;
    throw errorAt(typeToken, unknownType(type, "element", [...this.#context.typeMacros, "scalars", "their vectors"]));
  }

  #readBuiltin({ name, indirection, spelling, typeToken }: Parameter, { name: attribute }: Attribute): void {
    const builtin = BUILTINS.get(attribute.text);
    if (builtin === undefined) throw errorAt(attribute, `unknown attribute [[${attribute.text}]]`);
    const type = canonicalType(spelling, this.#context.aliases);
    if (indirection !== null || !builtin.types.includes(type)) {
      throw errorAt(typeToken, `[[${attribute.text}]] is of type ${oneOf(builtin.types)}`);
    }
    this.#attributes.push({ name: name.text, type, attribute: attribute.text });
  }
}

function missingAttribute({ name, space }: Parameter): string {
  if (space === "device" || space === "constant") return `${name.text} has no index; expected [[buffer(n)]]`;
  if (space === "threadgroup") return `${name.text} has no index; expected [[threadgroup(n)]]`;
  return `${name.text} has no attribute such as [[thread_position_in_grid]]`;
}

function unknownType(type: string, use: string, known: readonly string[]): string {
  return `unknown ${use} type "${type}"; known are ${known.join(", ")}`;
}

function oneOf(types: readonly string[]): string {
  return types.length === 1 ? String(types[0]) : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`;
}
