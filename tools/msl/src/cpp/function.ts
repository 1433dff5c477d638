import { matchBracket } from "../kernel/bracket.js";
import type { Parameter } from "../kernel/parameter.js";
import type { KernelSyntax } from "../kernel/parse.js";
import type { ExpandedToken } from "../preprocess/expand.js";
import { blank, newlines, type TokenEditor } from "./edit.js";
import type { Guard } from "./guard.js";

/** Name of the function that a kernel becomes. */
export function functionName({ name }: KernelSyntax): string {
  return `metile_kernel_${name.text}`;
}

/** Turns a kernel into an inline function that runs one threadgroup of one thread. */
export function rewriteKernel(
  editor: TokenEditor,
  tokens: readonly ExpandedToken[],
  kernel: KernelSyntax,
  options: { readonly guard: Guard | null; readonly alias: ReadonlySet<string> | null },
): void {
  const parameters = kernel.parameters.map((parameter) => declare(parameter, options.alias));
  const signature = `METILE_KERNEL void ${functionName(kernel)}(${parameters.join(", ")})`;
  editor.replace(kernel.first, kernel.open, (old) => keepPlace(signature, old));
  const { guard } = options;
  if (guard !== null) editor.replace(kernel.open + 1, guard.next, blank);
  for (let index = guard?.next ?? kernel.open + 1; index < kernel.close; index += 1) {
    if (declaresThreadgroupMemory(tokens, index))
      editor.replace(index, index + 1, (old) => keepPlace("alignas(64)", old));
  }
}

/** Pads new text so that what follows the old text keeps its line and, where there is room, its column. */
function keepPlace(text: string, old: string): string {
  const lines = newlines(old);
  if (lines === "") return text.padEnd(old.length);
  return text + lines + " ".repeat(old.length - old.lastIndexOf("\n") - 1);
}

function declare(parameter: Parameter, alias: ReadonlySet<string> | null): string {
  const { name, spelling, indirection, space, isConst } = parameter;
  const constant = isConst || space === "constant";
  if (indirection === null) return `${spelling} ${name.text}`;
  // a constant is loaded once for all threadgroups and passed by value
  if (indirection === "&" && space === "constant") return `const ${spelling} ${name.text}`;
  const aliased = alias?.has(name.text) || alias?.size === 0;
  const restrict = aliased || space === "threadgroup" ? "" : "__restrict ";
  return `${constant ? "const " : ""}${spelling}${indirection} ${restrict}${name.text}`;
}

/** Whether `threadgroup` at an index begins a declaration of memory rather than of a pointer into it. */
function declaresThreadgroupMemory(tokens: readonly ExpandedToken[], index: number): boolean {
  if (tokens[index]?.text !== "threadgroup" || !/^[;{}]$/.test(tokens[index - 1]?.text ?? "")) return false;
  for (let at = index + 1; at < tokens.length; at += 1) {
    const text = tokens[at]?.text;
    if (text === ";" || text === "=" || text === "{") return true;
    if (text === "*" || text === "&") return false;
    if (text === "[" || text === "(") at = matchBracket(tokens, at);
  }
  return false;
}
