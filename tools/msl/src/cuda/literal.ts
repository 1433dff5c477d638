import type { Token } from "../text/token.js";

/**
 * A floating-point literal as CUDA spells it: Metal's `1.0h` and `1.0bf` are constructors there, and one without suffix
 * would be a double, which Metal does not have.
 *
 * @returns null for a literal that may stay
 */
export function translateLiteral({ kind, text }: Token): string | null {
  if (kind !== "number") return null;
  const hexadecimal = /^0[xX]/.test(text);
  const [, digits, suffix] = (hexadecimal ? undefined : /^(.*?[\d.])(h|H|bf|BF)$/.exec(text)) ?? [];
  if (digits !== undefined) return `${suffix?.toLowerCase() === "h" ? "half" : "bfloat"}(${float(digits)})`;
  const isFloat = hexadecimal ? /[pP]/.test(text) : /[.eE]/.test(text);
  return isFloat && !/[fFlL]$/.test(text) ? `${text}f` : null;
}

function float(digits: string): string {
  return /[.eE]/.test(digits) ? `${digits}f` : `${digits}.0f`;
}
