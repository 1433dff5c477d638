/**
 * `@metile/parity` has no operations yet; the README lists what is planned.
 *
 * @module
 */
export {};
