/** Samples in a few numbers, in the samples' unit. */
export interface Summary {
  /** How many samples. */
  readonly samples: number;
  readonly median: number;
  /** The quartile below the median. */
  readonly lower: number;
  /** The quartile above the median. */
  readonly upper: number;
  /** The smallest sample. */
  readonly least: number;
}

/**
 * A quantile by linear interpolation between the two samples around it.
 *
 * @param sorted - at least one number, ascending
 * @param fraction - 0 for the smallest, 0.5 for the median, 1 for the largest
 * @throws RangeError without samples
 * @example quantile([1, 2, 4], 0.75); // 3
 */
export function quantile(sorted: ArrayLike<number>, fraction: number): number {
  if (sorted.length === 0) throw new RangeError("quantile: expected at least one sample, received none.");
  const position = fraction * (sorted.length - 1);
  const below = Math.floor(position);
  const first = sorted[below] as number;
  const second = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return first + (second - first) * (position - below);
}

/**
 * Median and quartiles of samples in any order.
 *
 * @throws RangeError without samples
 * @example summarize([3, 1, 2]).median; // 2
 */
export function summarize(samples: ArrayLike<number>): Summary {
  const sorted = Float64Array.from(samples).sort();
  return {
    samples: sorted.length,
    median: quantile(sorted, 0.5),
    lower: quantile(sorted, 0.25),
    upper: quantile(sorted, 0.75),
    least: quantile(sorted, 0),
  };
}
