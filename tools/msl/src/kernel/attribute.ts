import type { ExpandedToken } from "../preprocess/expand.js";
import { errorAt } from "../text/token.js";
import { matchBracket, splitAtCommas } from "./bracket.js";

/** An attribute between double brackets: `[[buffer(0)]]`. */
export interface Attribute {
  readonly name: ExpandedToken;
  /** The tokens in its brackets; null without brackets. */
  readonly argument: readonly ExpandedToken[] | null;
}

/** Whether double brackets open at an index. */
export function opensAttribute(tokens: readonly ExpandedToken[], index: number): boolean {
  return tokens[index]?.text === "[" && tokens[index + 1]?.text === "[";
}

/**
 * Reads the attributes between the double brackets that open at an index.
 *
 * @returns the attributes, and the index behind the closing brackets
 */
export function readAttributes(
  tokens: readonly ExpandedToken[],
  index: number,
): { attributes: Attribute[]; next: number } {
  const inner = matchBracket(tokens, index + 1);
  const outer = matchBracket(tokens, index);
  if (outer !== inner + 1) throw errorAt(tokens[index] as ExpandedToken, "attributes stand in double brackets: [[…]]");
  const attributes = splitAtCommas(tokens.slice(index + 2, inner)).map((part) =>
    readAttribute(part, tokens[index] as ExpandedToken),
  );
  return { attributes, next: outer + 1 };
}

function readAttribute(part: readonly ExpandedToken[], at: ExpandedToken): Attribute {
  const qualified = part[1]?.text === "::"; // [[metal::buffer(0)]]
  const [name, open, ...rest] = qualified ? part.slice(2) : part;
  if (name?.kind !== "identifier") throw errorAt(name ?? at, "an attribute's name was expected");
  if (open === undefined) return { name, argument: null };
  if (open.text !== "(" || rest.at(-1)?.text !== ")") throw errorAt(open, `( … ) was expected behind ${name.text}`);
  return { name, argument: rest.slice(0, -1) };
}

/** Takes all attributes out of tokens; those that remain are the declaration. */
export function separateAttributes(tokens: readonly ExpandedToken[]): {
  attributes: Attribute[];
  rest: ExpandedToken[];
} {
  const attributes: Attribute[] = [];
  const rest: ExpandedToken[] = [];
  for (let index = 0; index < tokens.length; ) {
    if (opensAttribute(tokens, index)) {
      const read = readAttributes(tokens, index);
      attributes.push(...read.attributes);
      index = read.next;
    } else {
      rest.push(tokens[index] as ExpandedToken);
      index += 1;
    }
  }
  return { attributes, rest };
}
