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

/** The bits of a double as IEEE binary16. */
export function toHalfBits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === 0) return sign;
  const rounded = magnitude >= 65520 ? Number.POSITIVE_INFINITY : round(magnitude, 10, -14);
  if (rounded === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  if (rounded < 2 ** -14) return sign | (rounded * 2 ** 24);
  const exponent = exponentOf(rounded);
  return sign | ((exponent + 15) << 10) | (rounded * 2 ** (10 - exponent) - 1024);
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
  if (Number.isNaN(value)) return 0x7fc0;
  if (!Number.isFinite(value)) return value > 0 ? 0x7f80 : 0xff80;
  const magnitude = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (magnitude === 0) return sign;
  const rounded = round(magnitude, 7, -126);
  if (rounded >= 2 ** 128) return sign | 0x7f80;
  buffer.setFloat32(0, rounded); // exact: eight significant bits fit
  return sign | (buffer.getUint32(0) >>> 16);
}

/** The double that bfloat16 bits stand for. */
export function fromBfloatBits(bits: number): number {
  buffer.setUint32(0, bits << 16);
  return buffer.getFloat32(0);
}
