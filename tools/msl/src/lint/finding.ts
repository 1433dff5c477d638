import type { View } from "./view.js";

/** The macros of a view as a note, for a complaint that not all views of a file have. */
export function nameMacros({ macros }: View, views: readonly View[]): string[] {
  if (views.length < 2) return [];
  const names = Object.keys(macros).filter((name) => views.some((view) => view.macros[name] !== macros[name]));
  return names.length === 0 ? [] : [`compiled with ${names.map((name) => `${name}=${macros[name]}`).join(" ")}`];
}
