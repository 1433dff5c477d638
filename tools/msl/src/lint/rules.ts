import type { MslError } from "../text/error.js";
import type { View } from "./view.js";

/** Checks a view for what C++ allows and Metal does not. */
export function checkRules(_view: View): MslError[] {
  return [];
}
