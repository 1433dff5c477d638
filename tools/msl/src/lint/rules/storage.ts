import { spell } from "../../kernel/parameter.js";
import { evaluate } from "../../preprocess/condition.js";
import type { ExpandedToken } from "../../preprocess/expand.js";
import type { Finding } from "../finding.js";
import type { FunctionOutline, Outline } from "../outline.js";
import { type ThreadgroupVariable, threadgroupVariables } from "../threadgroup.js";
import type { View } from "../view.js";

/** Threadgroup memory of Apple's GPUs, in bytes. */
const THREADGROUP_BYTES = 32768;

const BYTES: Readonly<Record<string, number>> = {
  ...{ bool: 1, char: 1, uchar: 1, short: 2, ushort: 2, half: 2, bfloat: 2 },
  ...{ int: 4, uint: 4, float: 4, atomic_int: 4, atomic_uint: 4, atomic_float: 4, long: 8, ulong: 8 },
};

/** Finds variables that lie where Metal has no place for them. */
export function findStorage({ tokens, kernels }: View, outlines: readonly Outline[]): Finding[] {
  const findings: Finding[] = [];
  for (const outline of outlines) {
    if (outline.kind === "variable")
      findings.push(...ofVariable(tokens.slice(outline.first, outline.last), outline.member));
    else if (outline.kind === "function" && outline.body !== null) {
      const isKernel = kernels.some(({ open }) => open === outline.body?.open);
      findings.push(...ofFunction(tokens, outline, isKernel));
    }
  }
  return findings;
}

function ofVariable(declaration: readonly ExpandedToken[], member: boolean): Finding[] {
  const [token] = declaration;
  const has = (name: string) => declaration.some(({ text }) => text === name);
  if (token === undefined || has("constant")) return [];
  if (has("threadgroup") && !has("*") && !has("&")) {
    return [
      { token, reason: "threadgroup memory is declared in a kernel, or is a kernel's [[threadgroup(n)]] parameter" },
    ];
  }
  if (!member)
    return [{ token, reason: "a variable outside of functions lies in constant memory; write constant before it" }];
  return has("static")
    ? [{ token, reason: "a static member lies in constant memory; write static constant constexpr" }]
    : [];
}

function ofFunction(tokens: readonly ExpandedToken[], { body }: FunctionOutline, isKernel: boolean): Finding[] {
  const { open, close } = body as { open: number; close: number };
  const findings: Finding[] = [];
  for (let index = open; index < close; index += 1) {
    const token = tokens[index] as ExpandedToken;
    if (token.text !== "static" || ["constant", "threadgroup"].includes(tokens[index + 1]?.text ?? "")) continue;
    findings.push({ token, reason: "Metal has no static variables in functions" });
  }
  const variables = threadgroupVariables(tokens, open, close);
  let bytes = 0;
  for (const variable of variables) {
    const { name, initialiser } = variable;
    if (!isKernel) {
      findings.push({
        token: name,
        reason: `${name.text} lies in threadgroup memory, which only a kernel declares; pass a pointer`,
      });
    }
    if (initialiser !== null) {
      findings.push({
        token: initialiser,
        reason: `threadgroup memory has no initialiser; let threads write ${name.text}, then a barrier`,
      });
    }
    bytes += bytesOf(variable);
    if (bytes > THREADGROUP_BYTES) {
      const reason = `with ${name.text} the kernel has ${bytes} bytes of threadgroup memory; there are ${THREADGROUP_BYTES}`;
      findings.push({ token: name, reason });
      break;
    }
  }
  return findings;
}

/** Bytes of a variable; 0 where its type or a dimension is a name that is not known here. */
function bytesOf({ type, dimensions, name }: ThreadgroupVariable): number {
  const [, scalar = "", lanes = "1"] = /^(.*?)([234])?$/.exec(spell(type).replace(/\bmetal::/, "")) ?? [];
  let bytes = (BYTES[scalar] ?? 0) * (lanes === "3" ? 4 : Number(lanes));
  for (const dimension of dimensions) {
    const isKnown = dimension.length > 0 && dimension.every(({ kind }) => kind !== "identifier");
    bytes *= isKnown ? Number(evaluate(dimension, name)) : 0;
  }
  return bytes;
}
