// Rounding of doubles to 16-bit floats: to nearest, ties to even, once. Going through float32 would round twice.

const buffer = new DataView(new ArrayBuffer(8));

/** The binary exponent of a positive normal double, exactly (Math.log2 may be off by one ulp). */
function exponentOf(value: number): number {
  buffer.setFloat64(0, value);
  return ((buffer.getUint32(0) >>> 20) & 0x7ff) - 1023;
}

/** Rounds |value| to a format with `mantissa` fraction bits and the smallest normal exponent `lowest`. */
function round(value: number, mantissa: number, lowest: number): number {
  const step = 2 ** (Math.max(exponentOf(value), lowest) - mantissa);
  const scaled = value / step; // exact: a power of two
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  return (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor) * step;
}

const double = new Float64Array(1);
// The double's two words: node runs on little-endian processors alone.
const words = new Uint32Array(double.buffer);

/**
 * Rounds a double whose exponent is normal in the format, by its bits: the fraction's upper bits are kept, what is below
 * them decides; a carry moves into the exponent, at the end into infinity.
 *
 * @param fraction - the format's fraction bits
 * @param bias - the format's exponent bias
 */
function roundNormal(high: number, low: number, fraction: number, bias: number): number {
  const below = 20 - fraction;
  const kept = (((high >>> 20) & 0x7ff) - 1023 + bias) * 2 ** fraction + ((high & 0xfffff) >>> below);
  const rest = high & ((1 << below) - 1);
  const half = 1 << (below - 1);
  return rest > half || (rest === half && (low !== 0 || (kept & 1) === 1)) ? kept + 1 : kept;
}

/** The bits of a double as IEEE binary16. */
export function toHalfBits(value: number): number {
  double[0] = value;
  const high = words[1] as number;
  const sign = (high >>> 16) & 0x8000;
  const exponent = ((high >>> 20) & 0x7ff) - 1023;
  if (exponent >= -14 && exponent <= 15) return sign | roundNormal(high, words[0] as number, 10, 15);
  if (exponent > 15) return Number.isNaN(value) ? 0x7e00 : sign | 0x7c00;
  return sign | (round(Math.abs(value), 10, -14) * 2 ** 24);
}

/** The double that binary16 bits stand for. */
export function fromHalfBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The bits of a double as bfloat16. */
export function toBfloatBits(value: number): number {
  double[0] = value;
  const high = words[1] as number;
  const sign = (high >>> 16) & 0x8000;
  const exponent = ((high >>> 20) & 0x7ff) - 1023;
  if (exponent >= -126 && exponent <= 127) return sign | roundNormal(high, words[0] as number, 7, 127);
  if (exponent > 127) return Number.isNaN(value) ? 0x7fc0 : sign | 0x7f80;
  return sign | (round(Math.abs(value), 7, -126) * 2 ** 133);
}

/** The double that bfloat16 bits stand for. */
export function fromBfloatBits(bits: number): number {
  buffer.setUint32(0, bits << 16);
  return buffer.getFloat32(0);
}
