import { describe, expect, it } from "vitest";
import { tensor } from "../../src/index.js";
import { boundaries, decode, differences, floatOfBits, type HalfType, halves } from "../support/floats.js";

const types: HalfType[] = ["float16", "bfloat16"];

/** The bits that a tensor of these values has. */
function bitsOf(values: Float32Array | Float64Array, type: HalfType): Uint16Array {
  const made = tensor(values, null, type);
  const bits = made.bitsSync();
  made.dispose();
  return bits;
}

describe.each(types)("float64 to %s rounds once, to nearest even", (type) => {
  const { values, bits } = boundaries(type);

  it("at every value, every middle, and the doubles next to the middles", () => {
    expect(differences(bitsOf(values, type), bits, values)).toEqual([]);
  });

  it("and the same for negative numbers", () => {
    const negative = values.map((value) => -value);
    const signed = bits.map((each) => each | 0x8000);
    expect(differences(bitsOf(negative, type), signed, negative)).toEqual([]);
  });
});

it("a double just above a middle does not go through float32", () => {
  // float32 has no bits for the 2^-40: rounding there first gives the exact middle, which then goes to the even neighbour.
  expect(Math.fround(1 + 2 ** -11 + 2 ** -40)).toBe(1 + 2 ** -11);
  expect(Array.from(bitsOf(Float64Array.of(1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -11), "float16"))).toEqual([
    0x3c01, 0x3c00,
  ]);
  expect(Math.fround(1 + 2 ** -8 + 2 ** -40)).toBe(1 + 2 ** -8);
  expect(Array.from(bitsOf(Float64Array.of(1 + 2 ** -8 + 2 ** -40, 1 + 2 ** -8), "bfloat16"))).toEqual([
    0x3f81, 0x3f80,
  ]);
});

it("numbers and nested arrays round as doubles too", () => {
  const trap = 1 + 2 ** -11 + 2 ** -40;
  expect(Array.from(tensor(trap, null, "float16").bitsSync())).toEqual([0x3c01]);
  expect(Array.from(tensor([[trap], [-trap]], null, "float16").bitsSync())).toEqual([0x3c01, 0xbc01]);
});

it("the ends of the ranges", () => {
  expect(Array.from(bitsOf(Float64Array.of(65504, 65519.999, 65520, 1e300, -65520), "float16"))).toEqual([
    0x7bff, 0x7bff, 0x7c00, 0x7c00, 0xfc00,
  ]);
  expect(Array.from(bitsOf(Float64Array.of(2 ** -24, 2 ** -25, 2 ** -25 * 1.001, 5e-324, -5e-324), "float16"))).toEqual(
    [1, 0, 1, 0, 0x8000],
  );
  expect(Array.from(bitsOf(Float64Array.of(2 ** 127 * 1.9921875, 2 ** 128, 1e300, -1e300), "bfloat16"))).toEqual([
    0x7f7f, 0x7f80, 0x7f80, 0xff80,
  ]);
  expect(Array.from(bitsOf(Float64Array.of(2 ** -133, 2 ** -134, 2 ** -134 * 1.001, 5e-324), "bfloat16"))).toEqual([
    1, 0, 1, 0,
  ]);
});

describe.each(types)("float32 to %s on the device", (type) => {
  it("gives the bits of the rounding in JavaScript, at every middle and elsewhere", () => {
    // Middles and values are float32s; the float32 next to each middle replaces the double there.
    const values = Float32Array.from(boundaries(type).values);
    const integers = new Uint32Array(values.buffer);
    for (let index = 1; index < values.length; index += 4) integers[index] = (integers[index + 1] as number) - 1;
    for (let index = 3; index < values.length; index += 4) integers[index] = (integers[index - 1] as number) + 1;
    const mixed = Float32Array.from(values, (value, index) => (index % 3 === 0 ? -value : value));
    const onDevice = bitsOf(mixed, type);
    const inJavaScript = bitsOf(Float64Array.from(mixed), type);
    expect(differences(onDevice, inJavaScript, mixed)).toEqual([]);
    expect(onDevice.length).toBe(4 * halves[type].infinity);
  });

  it("gives the bits of the rounding in JavaScript for numbers spread over all of float32", () => {
    const values = new Float32Array(1 << 16);
    for (let index = 0; index < values.length; index += 1)
      values[index] = floatOfBits(Math.imul(index, 65537 * 40503) >>> 0);
    const wanted = bitsOf(Float64Array.from(values), type);
    const got = bitsOf(values, type);
    for (let index = 0; index < values.length; index += 1) {
      if (!Number.isNaN(values[index])) continue;
      // Which NaN it is does not matter; that it is one does.
      if (Number.isNaN(decode(type, got[index] as number))) got[index] = wanted[index] as number;
    }
    expect(differences(got, wanted, values)).toEqual([]);
  });
});

describe.each(types)("data() of %s", (type) => {
  const all = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
  const wanted = Float32Array.from(all, (bits) => decode(type, bits));

  it("widens each of the 65536 patterns exactly, and bits() gives them back", async () => {
    const made = tensor(all, null, type);
    for (const values of [await made.data(), made.dataSync()]) expect(differences(values, wanted, all)).toEqual([]);
    for (const bits of [await made.bits(), made.bitsSync()]) expect(differences(bits, all)).toEqual([]);
    made.dispose();
  });
});
