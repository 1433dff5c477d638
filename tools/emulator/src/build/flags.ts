/** Of the kernel and the machine alike: floating point is as strict as in CPU libraries. */
export const COMMON_FLAGS: readonly string[] = [
  "-std=c++17",
  "-fno-exceptions",
  "-fno-rtti",
  "-ffp-contract=off",
  "-fno-math-errno",
  "-fno-stack-protector",
];

/**
 * Of a kernel that is watched: every access, call and atomic is reported to hooks of our own; the sanitizer's runtime is not
 * linked. Nothing is optimised: two barriers in two branches would become one, and a store in two branches would lose its
 * line.
 */
export const WATCHED_FLAGS: readonly string[] = [
  "-O0",
  "-DMETILE_WATCHED",
  "-fno-sanitize=undefined",
  "-fsanitize=thread,bounds,alignment,integer-divide-by-zero",
  "-fno-strict-aliasing",
  "-gdwarf-4",
];

/** clang leaves out the read of `x += y` unless told otherwise, and zig's ends a program where it may report. */
export const CLANG_WATCHED_FLAGS: readonly string[] = [
  "-fno-sanitize-trap=undefined",
  "-mllvm",
  "-tsan-instrument-read-before-write=1",
];

/**
 * Of a kernel that only runs: -O2 takes a third longer to compile and runs no faster. Calls stay calls at a function's end,
 * so that a report there has a line.
 */
export const PLAIN_FLAGS: readonly string[] = [
  "-O1",
  "-fno-optimize-sibling-calls",
  "-fno-strict-aliasing",
  "-g1",
  "-gdwarf-4",
];
