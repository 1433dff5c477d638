import type { GpuText } from "../kernel/file.js";
import type { MslError } from "../text/error.js";
import { errorAt } from "../text/token.js";
import { checkRules } from "./rules/rules.js";

/** What a text has that C++ allows and Metal does not, as far as its tokens tell. */
export function findMistakes({ tokens, syntax }: GpuText): MslError[] {
  const sightings = checkRules({ macros: {}, tokens, kernels: syntax });
  return sightings.map(({ finding: { token, reason, notes } }) => errorAt(token, reason, notes));
}
