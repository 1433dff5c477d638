// Bit patterns of floats, decoded by the definition of the formats and by nothing of the runtime.

const view = new DataView(new ArrayBuffer(8));

/** The half types: fraction bits, the exponent's bias, and the bits of infinity. */
export const halves = {
  float16: { fraction: 10, bias: 15, infinity: 0x7c00 },
  bfloat16: { fraction: 7, bias: 127, infinity: 0x7f80 },
} as const;

export type HalfType = keyof typeof halves;

/** The number that 16 bits stand for. */
export function decode(type: HalfType, bits: number): number {
  const { fraction, bias, infinity } = halves[type];
  const sign = bits & 0x8000 ? -1 : 1;
  const magnitude = bits & 0x7fff;
  if (magnitude >= infinity) return magnitude === infinity ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  const exponent = magnitude >> fraction;
  const rest = magnitude & (2 ** fraction - 1);
  if (exponent === 0) return sign * rest * 2 ** (1 - bias - fraction);
  return sign * (2 ** fraction + rest) * 2 ** (exponent - bias - fraction);
}

/** The next double above (or, for -1, below) a positive one. */
export function nextDouble(value: number, direction: 1 | -1): number {
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(direction));
  return view.getFloat64(0);
}

/** The float32 with the given bits. */
export function floatOfBits(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

interface Boundaries {
  readonly values: Float64Array;
  readonly bits: Uint16Array;
}

const made = new Map<HalfType, Boundaries>();

/**
 * Positive doubles around every boundary between neighbouring values of a half type, with the bits that one rounding to
 * nearest even gives: each value, the middle between it and the next, and the doubles next to the middle.
 */
export function boundaries(type: HalfType): Boundaries {
  const known = made.get(type);
  if (known !== undefined) return known;
  const { infinity } = halves[type];
  const values = new Float64Array(4 * infinity);
  const bits = new Uint16Array(4 * infinity);
  for (let lower = 0; lower < infinity; lower += 1) {
    const value = decode(type, lower);
    // Past the largest value lies, for rounding, the power of two that would come next.
    const above =
      lower + 1 === infinity ? 2 * decode(type, infinity - 1) - decode(type, infinity - 2) : decode(type, lower + 1);
    const middle = value + (above - value) / 2;
    values.set([value, nextDouble(middle, -1), middle, nextDouble(middle, 1)], 4 * lower);
    bits.set([lower, lower, lower + (lower % 2), lower + 1], 4 * lower);
  }
  const result = { values, bits };
  made.set(type, result);
  return result;
}

/** The first few indices at which arrays differ, with both sides: short to read when one of many thousand values is wrong. */
export function differences(
  got: ArrayLike<number>,
  wanted: ArrayLike<number>,
  of: ArrayLike<number> = wanted,
): string[] {
  if (got.length !== wanted.length) return [`${got.length} values for ${wanted.length}`];
  const found: string[] = [];
  for (let index = 0; index < wanted.length && found.length < 5; index += 1)
    if (!Object.is(got[index], wanted[index]))
      found.push(`${index} (${of[index]}): ${got[index]} for ${wanted[index]}`);
  return found;
}
