import type { Finding } from "../finding.js";
import type { Outline } from "../outline.js";
import type { View } from "../view.js";

/** Finds calls of kernels: only a launch starts one. */
export function findKernelCalls({ tokens, kernels }: View, outlines: readonly Outline[]): Finding[] {
  const names = new Set(kernels.map(({ name }) => name.text));
  const findings: Finding[] = [];
  for (const outline of outlines) {
    if (outline.kind !== "function" || outline.body === null) continue;
    for (let index = outline.body.open; index < outline.body.close; index += 1) {
      const token = tokens[index];
      const before = tokens[index - 1];
      const isPlain = before?.kind === "punctuator" && ![".", "->", "::"].includes(before.text);
      if (token === undefined || !names.has(token.text) || tokens[index + 1]?.text !== "(" || !isPlain) continue;
      findings.push({
        token,
        reason: `${token.text} is a kernel, which only a launch starts; move its body to a function`,
      });
    }
  }
  return findings;
}
