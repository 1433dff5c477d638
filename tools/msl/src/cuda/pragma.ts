/** What a loop's pragma becomes: the words of one that NVRTC knows, or null where it is dropped. */
export type Pragma = string | null;

/**
 * Translates a pragma. Those about unrolling have their like; others are hints to other compilers, or settings that the
 * options of NVRTC make.
 *
 * @param words - what follows `#pragma`, or stands in the string of `_Pragma`
 */
export function translatePragma(words: string): Pragma {
  const [first, second, ...rest] = words.match(/\w+|[()]/g) ?? [];
  if (first === "unroll" || first === "nounroll") return words.trim();
  if (first !== "clang" || second !== "loop") return null;
  const clause = rest.join("");
  const count = /unroll_count\((\w+)\)/.exec(clause)?.[1];
  if (count !== undefined) return `unroll ${count}`;
  const how = /unroll\((\w+)\)/.exec(clause)?.[1];
  if (how === undefined) return null;
  return how === "disable" ? "unroll 1" : "unroll";
}
