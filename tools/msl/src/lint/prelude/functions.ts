import { FLOAT_TYPES, INTEGER_TYPES } from "./types.js";

const UNARY =
  "acos acosh asin asinh atan atanh ceil cos cosh cospi exp exp10 exp2 fabs floor fract log log10 log2 rint round rsqrt " +
  "saturate sign sin sinh sinpi sqrt tan tanh tanpi trunc";
const BINARY = "atan2 copysign fdim fmax fmin fmod pow powr step";
/** Functions that metal::precise and metal::fast have too. */
const EXACTNESS = "cos exp exp2 exp10 log log2 log10 pow powr rsqrt sin sqrt tan tanh atan2 fmod";
const COMMON = "max min";

/** The functions of <metal_stdlib>, declared: no more than a syntax check needs. */
export function functionDeclarations(): string {
  return `namespace metal {
${FLOAT_TYPES.map(mathOf).join("")}${INTEGER_TYPES.map(integerOf).join("")}${exactness("precise")}${exactness("fast")}
template <class T> bool isnan(T); template <class T> bool isinf(T); template <class T> bool isfinite(T);
template <class T> bool all(T); template <class T> bool any(T);
template <class T, class C> T select(T, T, C);
template <class T> auto dot(T a, T b) -> decltype(a.x); template <class T> auto length(T a) -> decltype(a.x);
template <class T> T normalize(T);
${simdDeclarations()}${matrixDeclarations()}${atomicDeclarations()}}
template <class To, class From> To as_type(From) {
  static_assert(sizeof(To) == sizeof(From), "as_type keeps the number of bytes");
  return To();
}
namespace metal { using ::as_type; }
`;
}

function each(names: string, declare: (name: string) => string): string {
  return `${names.split(" ").map(declare).join(" ")}\n`;
}

function mathOf(type: string): string {
  return (
    each(UNARY, (name) => `${type} ${name}(${type});`) +
    each(`${BINARY} ${COMMON}`, (name) => `${type} ${name}(${type}, ${type});`) +
    each("fma mad mix clamp smoothstep", (name) => `${type} ${name}(${type}, ${type}, ${type});`) +
    `${type} abs(${type});\n`
  );
}

function integerOf(type: string): string {
  return (
    each(`${COMMON} mulhi hadd rhadd absdiff addsat subsat rotate`, (name) => `${type} ${name}(${type}, ${type});`) +
    each("popcount clz ctz reverse_bits abs", (name) => `${type} ${name}(${type});`) +
    each("clamp mad24", (name) => `${type} ${name}(${type}, ${type}, ${type});`)
  );
}

function exactness(space: string): string {
  const names = EXACTNESS.split(" ");
  const binary = new Set(BINARY.split(" "));
  const declarations = names.flatMap((name) =>
    FLOAT_TYPES.map((type) => `${type} ${name}(${type}${binary.has(name) ? `, ${type}` : ""});`),
  );
  return `namespace ${space} { ${declarations.join(" ")} }\n`;
}

function simdDeclarations(): string {
  const one =
    "simd_sum simd_product simd_max simd_min simd_and simd_or simd_xor simd_broadcast_first quad_sum quad_max quad_min";
  const prefix = ["sum", "product"].flatMap((name) => [
    `simd_prefix_inclusive_${name}`,
    `simd_prefix_exclusive_${name}`,
  ]);
  const lanes =
    "simd_broadcast simd_shuffle simd_shuffle_xor simd_shuffle_up simd_shuffle_down simd_shuffle_rotate_up simd_shuffle_rotate_down";
  return `enum class mem_flags : uint { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
mem_flags operator|(mem_flags, mem_flags);
void threadgroup_barrier(mem_flags); void simdgroup_barrier(mem_flags);
bool simd_is_first(); bool simd_all(bool); bool simd_any(bool);
${each(`${one} ${prefix.join(" ")}`, (name) => `template <class T> T ${name}(T);`)}${each(lanes, (name) => `template <class T> T ${name}(T, ushort);`)}`;
}

/** Matrices of a simdgroup: memory has the matrix's own type; the types of a product may differ. */
function matrixDeclarations(): string {
  const place = "ulong elements_per_row = Cols, ulong2 matrix_origin = 0, bool transpose_matrix = false";
  const matrix = "simdgroup_matrix<T, Cols, Rows>";
  const factors = "simdgroup_matrix<D, Cols, Rows>&, simdgroup_matrix<A, K, Rows>&, simdgroup_matrix<B, Cols, K>&";
  const product = "template <class D, class A, class B, int Cols, int K, int Rows> void simdgroup_multiply";
  const spaces = ["device", "threadgroup"].map(
    (space) => `template <class T, int Cols, int Rows> void simdgroup_load(${matrix}&, const ${space} T*, ${place});
template <class T, int Cols, int Rows> void simdgroup_store(${matrix}, ${space} T*, ${place});
`,
  );
  const names = ["float", "half", "bfloat"];
  return `template <class T> struct lint_pair;
${names.map((type) => `template <> struct lint_pair<${type}> { typedef ${type}2 type; };\n`).join("")}
template <class T, int Cols, int Rows> struct simdgroup_matrix {
  static_assert(Cols == 8 && Rows == 8, "matrices of a simdgroup are 8 by 8");
  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T diagonal);
  typename lint_pair<T>::type& thread_elements();
  const typename lint_pair<T>::type& thread_elements() const;
};
${names.map((type) => `typedef simdgroup_matrix<${type}, 8, 8> simdgroup_${type}8x8;\n`).join("")}
template <class T, int Cols, int Rows> ${matrix} make_filled_simdgroup_matrix(T);
${spaces.join("")}${product}(${factors});
${product}_accumulate(${factors}, simdgroup_matrix<D, Cols, Rows>&);
`;
}

/** What each type of atomics can do, and in which memory. */
const ATOMICS: readonly {
  readonly type: string;
  readonly spaces: readonly string[];
  readonly fetches: string;
}[] = [
  { type: "int", spaces: ["device", "threadgroup"], fetches: "add sub max min and or xor" },
  { type: "uint", spaces: ["device", "threadgroup"], fetches: "add sub max min and or xor" },
  { type: "bool", spaces: ["device", "threadgroup"], fetches: "" },
  { type: "float", spaces: ["device"], fetches: "add sub" },
];

function atomicDeclarations(): string {
  const declarations = ATOMICS.flatMap(({ type, spaces, fetches }) =>
    spaces.map((space) => {
      const object = `volatile ${space} atomic_${type}*`;
      const names = fetches.split(" ").filter((name) => name !== "");
      const fetch = names.map((name) => `${type} atomic_fetch_${name}_explicit(${object}, ${type}, memory_order);\n`);
      return `void atomic_store_explicit(${object}, ${type}, memory_order); ${type} atomic_load_explicit(const ${object}, memory_order);
${type} atomic_exchange_explicit(${object}, ${type}, memory_order);
bool atomic_compare_exchange_weak_explicit(${object}, ${type}*, ${type}, memory_order, memory_order);
${fetch.join("")}`;
    }),
  );
  const ulong = "volatile device atomic_ulong*, ulong, memory_order";
  // enumerations: they have no arithmetic, and unlike classes they may lie in any memory
  const words = { int: "int", uint: "uint", bool: "bool", float: "uint", ulong: "ulong" };
  const types = Object.entries(words).map(
    ([type, word]) =>
      `template <> struct lint_atomic<${type}> { enum class type : ${word} {}; }; typedef atomic<${type}> atomic_${type};\n`,
  );
  return `enum memory_order { memory_order_relaxed };
template <class T> struct lint_atomic; template <class T> using atomic = typename lint_atomic<T>::type;
${types.join("")}${declarations.join("")}void atomic_min_explicit(${ulong}); void atomic_max_explicit(${ulong});
`;
}
