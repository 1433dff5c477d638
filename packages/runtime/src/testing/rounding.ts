import type { FloatingDtype } from "../dtype/dtype.js";
import { fromBfloatBits, fromHalfBits, toBfloatBits, toHalfBits } from "../dtype/half.js";

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);
const double = new Float64Array(1);
const doubleWords = new Uint32Array(double.buffer); // little-endian, as all platforms of Node are

/** Mantissa bits, and the exponents of the smallest and the largest normal numbers, of a type. */
const formats = {
  float32: { mantissa: 23, lowest: -126, highest: 127 },
  float16: { mantissa: 10, lowest: -14, highest: 15 },
  bfloat16: { mantissa: 7, lowest: -126, highest: 127 },
} as const satisfies Record<FloatingDtype, object>;

/** The exponent field of the double that was last written to `double`. */
function exponent(): number {
  return (((doubleWords[1] as number) >>> 20) & 0x7ff) - 1023;
}

/**
 * A double rounded once to a type, to nearest and ties to even.
 *
 * Normal numbers are rounded in the upper word of the double: adding just under half of what is cut off carries where it
 * should, into the exponent too. Millions of values are rounded in a test run; the rest goes the plain way.
 */
export function round(value: number, dtype: FloatingDtype): number {
  if (dtype === "float32") return Math.fround(value);
  const half = dtype === "float16";
  const { mantissa, lowest, highest } = half ? formats.float16 : formats.bfloat16;
  double[0] = value;
  if (exponent() >= lowest && exponent() < highest) {
    const cut = 1 << (20 - mantissa);
    const upper = doubleWords[1] as number;
    const odd = (upper & cut) !== 0 || doubleWords[0] !== 0 ? 1 : 0;
    doubleWords[1] = (upper + (cut >> 1) - 1 + odd) & -cut;
    doubleWords[0] = 0;
    return double[0];
  }
  return half ? fromHalfBits(toHalfBits(value)) : fromBfloatBits(toBfloatBits(value));
}

/** A copy in which each double is rounded once to a type: what a tensor of that type holds. */
export function rounded(values: ArrayLike<number>, dtype: FloatingDtype): Float64Array {
  const result = new Float64Array(values.length);
  for (let index = 0; index < result.length; index += 1) result[index] = round(values[index] as number, dtype);
  return result;
}

/** The bits of a double after rounding to a type: 16 of them, or 32 for float32. */
export function bitsOf(value: number, dtype: FloatingDtype): number {
  if (dtype === "float32") {
    single[0] = value;
    return singleBits[0] as number;
  }
  const half = dtype === "float16";
  const { mantissa, lowest, highest } = half ? formats.float16 : formats.bfloat16;
  double[0] = round(value, dtype);
  const power = exponent();
  if (power < lowest || power > highest) return half ? toHalfBits(value) : toBfloatBits(value);
  const upper = doubleWords[1] as number;
  const fraction = (upper >>> (20 - mantissa)) & ((1 << mantissa) - 1);
  return ((upper >>> 16) & 0x8000) | ((power + highest) << mantissa) | fraction; // the bias is the largest exponent
}

/** Where a value stands among all values of its type: neighbours differ by 1, and both zeros stand at 0. */
function ordinal(value: number, dtype: FloatingDtype): number {
  const bits = bitsOf(value, dtype);
  const sign = dtype === "float32" ? 2 ** 31 : 2 ** 15;
  return bits < sign ? bits : sign - bits;
}

/**
 * How many values of the type lie from one to the other, across binades and zero; 0 for equal ones and for the two zeros.
 * NaN is no steps from NaN and infinitely many from anything else.
 *
 * @example
 * stepsBetween(1, 1.0078125, "bfloat16"); // 1
 */
export function stepsBetween(from: number, to: number, dtype: FloatingDtype): number {
  if (Number.isNaN(from) || Number.isNaN(to))
    return Number.isNaN(from) && Number.isNaN(to) ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(ordinal(from, dtype) - ordinal(to, dtype));
}

/** The distance of a value's type from one number to the next, where the value lies. */
export function stepAt(value: number, dtype: FloatingDtype): number {
  const { mantissa, lowest } = formats[dtype];
  const magnitude = round(value, dtype);
  if (!Number.isFinite(magnitude)) return Number.POSITIVE_INFINITY;
  double[0] = magnitude;
  return 2 ** (Math.max(exponent(), lowest) - mantissa);
}
