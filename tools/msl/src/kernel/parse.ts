import type { ExpandedToken } from "../preprocess/expand.js";
import { errorAt } from "../text/token.js";
import { type Attribute, opensAttribute, readAttributes } from "./attribute.js";
import { matchBracket, splitAtCommas } from "./bracket.js";
import { type Parameter, readParameter } from "./parameter.js";

/** A kernel's definition among the tokens of a file. */
export interface KernelSyntax {
  readonly name: ExpandedToken;
  /** Attributes of the function, `kernel` left out. */
  readonly attributes: readonly Attribute[];
  readonly parameters: readonly Parameter[];
  /** Index of the first token of the definition, attributes included. */
  readonly first: number;
  /** Index of the `{` of the body, and of its `}`. */
  readonly open: number;
  readonly close: number;
}

/**
 * Finds the kernels of a file.
 *
 * @param tokens - the file's tokens after macros were replaced
 * @throws MslError for a kernel that is a template, that has no body or that lies in another scope than the file's, and
 *   for brackets that do not balance
 */
export function parseKernels(tokens: readonly ExpandedToken[]): KernelSyntax[] {
  const kernels: KernelSyntax[] = [];
  let declaration = 0; // where the present declaration begins
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] as ExpandedToken;
    if (token.text === ";") {
      index += 1;
      declaration = index;
    } else if (startsKernel(tokens, index)) {
      const kernel = parseKernel(tokens, declaration, index);
      kernels.push(kernel);
      index = kernel.close + 1;
      declaration = index;
    } else if (token.text === "{") {
      const close = matchBracket(tokens, index);
      refuseInside(tokens, index, close);
      index = close + 1;
      declaration = index;
    } else if (token.text === "(" || token.text === "[") index = matchBracket(tokens, index) + 1;
    else if (token.text === ")" || token.text === "]" || token.text === "}") {
      throw errorAt(token, `this ${token.text} closes nothing`);
    } else index += 1;
  }
  return kernels;
}

/** Whether `kernel`, or an attribute list with it, stands at an index. */
function startsKernel(tokens: readonly ExpandedToken[], index: number): boolean {
  if (tokens[index]?.text === "kernel") return true;
  if (!opensAttribute(tokens, index)) return false;
  return readAttributes(tokens, index).attributes.some(({ name }) => name.text === "kernel");
}

function refuseInside(tokens: readonly ExpandedToken[], open: number, close: number): void {
  for (let index = open; index < close; index += 1) {
    const token = tokens[index] as ExpandedToken;
    if (token.text === "kernel" && tokens[index + 1]?.text === "void") {
      throw errorAt(token, "a kernel is declared at the scope of its file, not in a namespace or function");
    }
  }
}

function parseKernel(tokens: readonly ExpandedToken[], first: number, start: number): KernelSyntax {
  const attributes: Attribute[] = [];
  let index = first;
  const at = () => tokens[index] ?? (tokens.at(-1) as ExpandedToken);
  const takeAttributes = () => {
    while (opensAttribute(tokens, index)) {
      const read = readAttributes(tokens, index);
      attributes.push(...read.attributes.filter(({ name }) => name.text !== "kernel"));
      index = read.next;
    }
  };
  const expect = (text: string, what: string) => {
    if (tokens[index]?.text !== text) throw errorAt(at(), what);
    index += 1;
  };

  takeAttributes();
  if (index < start) {
    const template = at().text === "template";
    throw errorAt(at(), template ? "a kernel is no template; vary it by type macros" : "nothing may precede kernel");
  }
  if (at().text === "kernel") index += 1;
  takeAttributes();
  expect("void", "a kernel returns void");
  takeAttributes();
  const name = at();
  if (name.kind !== "identifier") throw errorAt(name, "a kernel's name was expected");
  index += 1;
  if (at().text !== "(") throw errorAt(at(), `the parameters of ${name.text} were expected: (`);
  const close = matchBracket(tokens, index);
  const list = tokens.slice(index + 1, close);
  index = close + 1;
  takeAttributes();
  if (at().text !== "{" || index >= tokens.length) throw errorAt(at(), `the body of ${name.text} was expected: {`);
  const isEmpty = list.length === 0 || (list.length === 1 && list[0]?.text === "void");
  const parameters = (isEmpty ? [] : splitAtCommas(list)).map((part) => {
    if (part.length === 0) throw errorAt(tokens[close] as ExpandedToken, "a parameter is missing between two commas");
    return readParameter(part);
  });
  return { name, attributes, parameters, first, open: index, close: matchBracket(tokens, index) };
}
