import { functionDeclarations } from "./functions.js";
import { typeDeclarations } from "./types.js";

const CONSTANTS = `
#define INFINITY __builtin_inff()
#define HUGE_VALF __builtin_inff()
#define NAN __builtin_nanf("")
#define MAXFLOAT __FLT_MAX__
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define HALF_MAX ((half)65504.0f)
#define M_PI_F 3.14159265f
#define M_PI_2_F 1.57079633f
#define M_1_PI_F 0.318309886f
#define M_2_PI_F 0.636619772f
#define M_E_F 2.71828183f
#define M_LOG2E_F 1.44269504f
#define M_LN2_F 0.693147181f
#define M_SQRT2_F 1.41421356f
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2u + 1u)
`;

/** What clang reads before a file: Metal's types, address spaces and functions in C++. */
export function writePrelude(): string {
  const vectors = "namespace metal { template <class T, int N> using vec = T __attribute__((ext_vector_type(N))); }\n";
  return `#pragma once\n${typeDeclarations()}${vectors}${functionDeclarations()}${CONSTANTS}`;
}
