const INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];

/** Scalars of which there are vectors. */
export const SCALARS = [...INTEGERS, "bool", "half", "bfloat", "float"];

const LANES = [2, 3, 4];

/** Names of vector types. */
export const VECTOR_TYPES: ReadonlySet<string> = new Set(
  SCALARS.flatMap((scalar) => LANES.map((lanes) => `${scalar}${lanes}`)),
);

/** Types of whole numbers, and of floating-point numbers that have mathematics, vectors included. */
export const INTEGER_TYPES = INTEGERS.flatMap(withVectors);
export const FLOAT_TYPES = ["float", "half"].flatMap(withVectors);

function withVectors(scalar: string): string[] {
  return [scalar, ...LANES.map((lanes) => `${scalar}${lanes}`)];
}

/**
 * Types of Metal in C++. Address spaces are real: a pointer of one does not become a pointer of another. `thread` is C++'s
 * own.
 *
 * bfloat is an enumeration, for that is what behaves like it: it becomes a float by itself, and nothing becomes one without
 * being told to.
 */
export function typeDeclarations(): string {
  return `
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;
typedef __INT8_TYPE__ int8_t; typedef __INT16_TYPE__ int16_t; typedef __INT32_TYPE__ int32_t; typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t; typedef __UINT16_TYPE__ uint16_t; typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t; typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef _Float16 half; enum bfloat : ushort {};
#define device __attribute__((address_space(1)))
#define constant const __attribute__((address_space(2)))
#define threadgroup __attribute__((address_space(3)))
#define thread
#define METAL_FUNC inline __attribute__((always_inline))
template <class T> struct lint_lanes { enum { count = 1 }; };
template <class... T> struct lint_sum { enum { count = 0 }; };
template <class T, class... U> struct lint_sum<T, U...> { enum { count = lint_lanes<T>::count + lint_sum<U...>::count }; };
template <class T> struct lint_space { enum { value = -1 }; };
template <class T> struct lint_space<T*> { enum { value = 0 }; };
template <class T> struct lint_space<device T*> { enum { value = 1 }; };
template <class T> struct lint_space<__attribute__((address_space(2))) T*> { enum { value = 2 }; };
template <class T> struct lint_space<threadgroup T*> { enum { value = 3 }; };
template <class To, class From> inline To lint_cast(From pointer) {
  static_assert(lint_space<From>::value == -1 || +lint_space<From>::value == +lint_space<To>::value, "a cast keeps the address space");
  return (To)pointer;
}
${SCALARS.map(vectorDeclarations).join("")}${bfloatOperators()}`;
}

function vectorDeclarations(scalar: string): string {
  // an enumeration makes no vectors
  const element = scalar === "bfloat" ? "__bf16" : scalar;
  return LANES.map((lanes) => {
    const name = `${scalar}${lanes}`;
    return `typedef ${element} ${name} __attribute__((ext_vector_type(${lanes}))); typedef ${name} packed_${name};
template <> struct lint_lanes<${name}> { enum { count = ${lanes} }; };
template <class... T> ${name} make_${name}(T...) {
  static_assert(lint_sum<T...>::count == ${lanes} || (sizeof...(T) == 1 && lint_sum<T...>::count == 1), "${name} takes 1 or ${lanes} numbers");
  return ${name}();
}
`;
  }).join("");
}

function bfloatOperators(): string {
  const arithmetic = ["+", "-", "*", "/"].map((operator) => {
    const both = (result: string, other: string, end = "") =>
      `${result} operator${operator}(bfloat, ${other})${end}; ${result} operator${operator}(${other}, bfloat)${end};\n`;
    return `bfloat operator${operator}(bfloat, bfloat); bfloat& operator${operator}=(bfloat&, bfloat);
${both("float", "float")}${both("bfloat", "int")}${both("bfloat", "uint")}${both("void", "half", " = delete")}`;
  });
  return `${arithmetic.join("")}bfloat operator-(bfloat);\n`;
}
