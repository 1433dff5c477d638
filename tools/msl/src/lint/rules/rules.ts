import type { MslError } from "../../text/error.js";
import { errorAt } from "../../text/token.js";
import { type Finding, nameMacros } from "../finding.js";
import { outlineOf } from "../outline.js";
import type { View } from "../view.js";
import { findKernelCalls } from "./calls.js";
import { findPointers } from "./pointers.js";
import { findRecursion } from "./recursion.js";
import { findStorage } from "./storage.js";
import { findWords } from "./words.js";

/** Checks the views of a file for what C++ allows and Metal does not; what several have is told once. */
export function checkRules(views: readonly View[]): MslError[] {
  const found = new Map<string, MslError>();
  for (const view of views) {
    for (const { token, reason } of findingsOf(view)) {
      const key = `${token.source.name}:${token.start}: ${reason}`;
      if (!found.has(key)) found.set(key, errorAt(token, reason, nameMacros(view, views)));
    }
  }
  return [...found.values()];
}

function findingsOf(view: View): Finding[] {
  const { tokens } = view;
  const outlines = outlineOf(tokens);
  return [
    ...findWords(tokens),
    ...findStorage(view, outlines),
    ...findPointers(tokens, outlines),
    ...findKernelCalls(view, outlines),
    ...findRecursion(tokens, outlines),
  ];
}
