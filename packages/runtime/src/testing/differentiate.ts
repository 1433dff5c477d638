/** Arrays of doubles by name. */
export type NamedValues = Readonly<Record<string, Float64Array>>;

/** A function from named arrays to named arrays. */
export type NumericFunction<Inputs extends NamedValues> = (inputs: Inputs) => NamedValues;

/** The sum of outputs times cotangents; an output without one counts for nothing. */
function weigh(outputs: NamedValues, cotangents: Readonly<Record<string, Float64Array | undefined>>): number {
  let sum = 0;
  for (const [name, cotangent] of Object.entries(cotangents)) {
    if (cotangent === undefined) continue;
    const output = outputs[name];
    if (output?.length !== cotangent.length)
      throw new RangeError(
        `differentiate: "${name}" has ${output?.length ?? "no"} values, its cotangent ${cotangent.length}`,
      );
    for (let index = 0; index < cotangent.length; index += 1)
      sum += (output[index] as number) * (cotangent[index] as number);
  }
  return sum;
}

const levels = 9;

/**
 * The derivative of a function of one number by central differences of fourth order. The step shrinks by halves of halves
 * until the estimate settles: large steps see the curve, small ones the rounding, and the best is where both are small.
 */
function derivative(evaluate: (shift: number) => number, scale: number): number {
  let best = Number.NaN;
  let change = Number.POSITIVE_INFINITY;
  let before: number | undefined;
  for (let level = 0; level < levels; level += 1) {
    const step = scale * 2 ** (-3 - 2 * level);
    const near = evaluate(step) - evaluate(-step);
    const far = evaluate(2 * step) - evaluate(-2 * step);
    const estimate = (8 * near - far) / (12 * step);
    if (before !== undefined && Math.abs(estimate - before) < change) {
      change = Math.abs(estimate - before);
      best = estimate;
    }
    before = estimate;
  }
  return best;
}

/**
 * The gradients of the sum of outputs times cotangents, by central differences in float64: what backward formulas are
 * checked against. Good to about 1e-10 for functions of order 1.
 *
 * @param evaluate - the forward reference; it must not keep what it is given
 * @param inputs - the point
 * @param cotangents - by the names of outputs; a missing one is zero
 * @param names - the inputs to differentiate; default: all
 * @returns a gradient for each name, as long as its input
 * @example
 * differentiate(({ x }) => ({ y: x.map((value) => value ** 2) }), { x: Float64Array.of(3) }, { y: Float64Array.of(1) });
 * // { x: Float64Array [6] }
 */
export function differentiate<Inputs extends NamedValues>(
  evaluate: NumericFunction<Inputs>,
  inputs: Inputs,
  cotangents: Readonly<Record<string, Float64Array | undefined>>,
  names: readonly (keyof Inputs & string)[] = Object.keys(inputs),
): { [Name in keyof Inputs]: Float64Array } {
  const gradients: Record<string, Float64Array> = {};
  for (const name of names) {
    const moved = Float64Array.from(inputs[name] as Float64Array);
    const point = { ...inputs, [name]: moved };
    gradients[name] = moved.map((value, index) => {
      const slope = derivative(
        (shift) => {
          moved[index] = value + shift;
          return weigh(evaluate(point), cotangents);
        },
        Math.max(1, Math.abs(value)),
      );
      moved[index] = value;
      return slope;
    });
  }
  return gradients as { [Name in keyof Inputs]: Float64Array };
}
