import type { Finding, Sighting } from "../finding.js";
import { outlineOf } from "../outline.js";
import type { View } from "../view.js";
import { findKernelCalls } from "./calls.js";
import { findPointers } from "./pointers.js";
import { findRecursion } from "./recursion.js";
import { findStorage } from "./storage.js";
import { findWords } from "./words.js";

/** Checks a view for what C++ allows and Metal does not. */
export function checkRules(view: View): Sighting[] {
  return findingsOf(view).map((finding) => ({ finding, view }));
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
