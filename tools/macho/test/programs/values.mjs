// Random numbers that are the same everywhere, and how far results are from what they should be.

/** Numbers between -2 and 2. */
export function random(count, seed) {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32) * 4 - 2;
  });
}

/** Largest difference, relative to the largest value that is expected. */
export function distance(found, expected) {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  const scale = expected.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-30);
  let worst = 0;
  for (let index = 0; index < expected.length; index++) {
    const difference = Math.abs(found[index] - expected[index]) / scale;
    if (!(difference <= worst)) worst = difference; // NaN counts
  }
  return worst;
}
