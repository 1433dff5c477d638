import type { ExpandedToken } from "../preprocess/expand.js";
import { errorAt } from "../text/token.js";
import { type Attribute, separateAttributes } from "./attribute.js";

/** Address spaces of Metal. */
type AddressSpace = "device" | "constant" | "threadgroup" | "thread";

/** A parameter of a kernel as it is declared. */
export interface Parameter {
  readonly name: ExpandedToken;
  readonly space: AddressSpace | null;
  /** Whether what it points or refers to is const. */
  readonly isConst: boolean;
  readonly indirection: "*" | "&" | null;
  /** Type without address space, const and indirection, as it is spelled: `STORAGE`, `vec<float, 4>`. */
  readonly spelling: string;
  /** First token of the type. */
  readonly typeToken: ExpandedToken;
  readonly attributes: readonly Attribute[];
}

const SPACES: ReadonlySet<string> = new Set(["device", "constant", "threadgroup", "thread"]);
const IGNORED: ReadonlySet<string> = new Set(["volatile", "restrict", "__restrict", "coherent"]);

/**
 * Reads one parameter of a kernel.
 *
 * @param tokens - the tokens between two commas
 */
export function readParameter(tokens: readonly ExpandedToken[]): Parameter {
  const { attributes, rest } = separateAttributes(tokens);
  const name = rest.at(-1);
  const first = tokens[0] as ExpandedToken;
  if (name?.kind !== "identifier" || rest.length < 2) {
    throw errorAt(name ?? first, "a parameter with a type and a name was expected");
  }
  let space: AddressSpace | null = null;
  let isConst = false;
  let indirection: "*" | "&" | null = null;
  const type: ExpandedToken[] = [];
  for (const token of rest.slice(0, -1)) {
    if (SPACES.has(token.text)) space = token.text as AddressSpace;
    else if (token.text === "const") isConst ||= indirection === null;
    else if (token.text === "*" || token.text === "&") {
      if (indirection !== null) throw errorAt(token, "a kernel's parameter is a value, one pointer or one reference");
      indirection = token.text;
    } else if (!IGNORED.has(token.text)) type.push(token);
  }
  const [typeToken] = type;
  if (typeToken === undefined) throw errorAt(name, `the type of ${name.text} is missing`);
  return { name, space, isConst, indirection, spelling: spell(type), typeToken, attributes };
}

/** Tokens as text, with single spaces where the source has space. */
export function spell(tokens: readonly ExpandedToken[]): string {
  return tokens.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join("");
}

/**
 * A type's one name: `metal::vec<float, 4>` is `float4`, `unsigned int` is `uint`, `atomic<uint>` is `atomic_uint`, and
 * names that the file introduces by `typedef` or `using` give way to what they stand for.
 */
export function canonicalType(spelling: string, aliases: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let type = normalize(spelling);
  for (let alias = aliases.get(type); alias !== undefined && !seen.has(type); alias = aliases.get(type)) {
    seen.add(type);
    type = normalize(alias);
  }
  return type;
}

function normalize(spelling: string): string {
  const type = spelling.replace(/\bmetal::/g, "").replace(/^unsigned (char|short|int|long)$/, "u$1");
  if (type === "unsigned") return "uint";
  const generic = /^(vec|packed_vec|atomic) ?< ?(\w+) ?(?:, ?([234]) ?)?>$/.exec(type);
  if (generic === null) return type;
  const [, template, element, lanes = ""] = generic;
  if (template === "atomic") return `atomic_${element}`;
  return `${template === "vec" ? "" : "packed_"}${element}${lanes}`;
}

/** Names that `typedef X Y;` and `using Y = X;` introduce anywhere in tokens. */
export function readAliases(tokens: readonly ExpandedToken[]): Map<string, string> {
  const aliases = new Map<string, string>();
  tokens.forEach((token, index) => {
    if (token.text !== "typedef" && token.text !== "using") return;
    const end = tokens.findIndex(({ text }, at) => at > index && text === ";");
    const declaration = tokens.slice(index + 1, end);
    const name = token.text === "using" ? declaration[0] : declaration.at(-1);
    if (name?.kind !== "identifier") return;
    if (token.text === "typedef") aliases.set(name.text, spell(declaration.slice(0, -1)));
    else if (declaration[1]?.text === "=") aliases.set(name.text, spell(declaration.slice(2)));
  });
  return aliases;
}
