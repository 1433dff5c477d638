import type { ExpandedToken } from "../preprocess/expand.js";
import type { View } from "./view.js";

/** Something in a view that Metal does not have. */
export interface Finding {
  readonly token: ExpandedToken;
  /** One sentence without a full stop. */
  readonly reason: string;
}

/** The macros of a view as a note: which of the views of a file has what is complained of. */
export function nameMacros({ macros }: View, views: readonly View[]): string[] {
  const names = Object.keys(macros).filter((name) => views.some((view) => view.macros[name] !== macros[name]));
  return names.length === 0 ? [] : [`compiled with ${names.map((name) => `${name}=${macros[name]}`).join(" ")}`];
}
