/**
 * Random numbers from a seed: the same sequence on every machine, since only exact arithmetic goes into it (no logarithm,
 * no cosine, whose last bits differ between engines).
 *
 * @example
 * const random = new Random(7);
 * random.normal(4); // Float64Array of 4
 */
export class Random {
  #state: number;

  /** @param seed - any whole number; different seeds give unrelated sequences */
  constructor(seed: number) {
    this.#state = Math.imul(seed | 0, 0x9e3779b1) ^ 0x5bd1e995;
  }

  /** 32 random bits. */
  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** A number from 0 below 1. */
  next(): number {
    return this.#bits() / 2 ** 32;
  }

  /** A whole number from 0 below `end`. */
  integer(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Numbers spread evenly from `low` to `high`. */
  uniform(size: number, low = -1, high = 1): Float64Array {
    const values = new Float64Array(size);
    for (let index = 0; index < size; index += 1) values[index] = low + (high - low) * this.next();
    return values;
  }

  /** Numbers with a bell-shaped distribution: a sum of four even ones, within 3.47 deviations of the mean. */
  normal(size: number, deviation = 1, mean = 0): Float64Array {
    const values = new Float64Array(size);
    const scale = deviation * Math.sqrt(3); // four even numbers have a variance of 4 / 12
    for (let index = 0; index < size; index += 1)
      values[index] = mean + scale * (this.next() + this.next() + this.next() + this.next() - 2);
    return values;
  }
}
