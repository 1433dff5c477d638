/**
 * `@metile/rope` has no operations yet; the README lists what is planned.
 *
 * @module
 */
export {};
