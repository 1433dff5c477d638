import type { ExpandedToken } from "../preprocess/expand.js";
import type { MslError } from "../text/error.js";
import { errorAt } from "../text/token.js";
import type { View } from "./view.js";

/** Something in a view that Metal does not have. */
export interface Finding {
  readonly token: ExpandedToken;
  /** One sentence without a full stop. */
  readonly reason: string;
  /** Lines that follow the excerpt. @default none */
  readonly notes?: readonly string[];
}

/** A finding and the view that has it. */
export interface Sighting {
  readonly finding: Finding;
  readonly view: View;
}

/**
 * One error for a place and reason, however many views have it; where not all do, a note names the macros of the first.
 *
 * @param views - all views of the file
 */
export function tellOnce(sightings: readonly Sighting[], views: readonly View[]): MslError[] {
  const groups = new Map<string, { first: Sighting; seen: Set<View> }>();
  for (const sighting of sightings) {
    const { token, reason } = sighting.finding;
    const key = `${token.source.name}:${token.start}: ${reason}`;
    const group = groups.get(key) ?? { first: sighting, seen: new Set() };
    groups.set(key, group);
    group.seen.add(sighting.view);
  }
  return [...groups.values()].map(({ first: { finding, view }, seen }) => {
    const macros = seen.size === views.length ? [] : nameMacros(view, views);
    return errorAt(finding.token, finding.reason, [...(finding.notes ?? []), ...macros]);
  });
}

function nameMacros({ macros }: View, views: readonly View[]): string[] {
  const names = Object.keys(macros).filter((name) => views.some((view) => view.macros[name] !== macros[name]));
  return names.length === 0 ? [] : [`compiled with ${names.map((name) => `${name}=${macros[name]}`).join(" ")}`];
}
