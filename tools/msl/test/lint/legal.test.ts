import { describe, expect, it } from "vitest";
import { lint, lintBody } from "./kit.js";

describe("the lint lets pass", () => {
  it.each([
    ["products that look like pointers", "uint a = i, b = 2; y[i] = float(a * b); y[a * b] = (a * b) * x[i];"],
    [
      "products in braces and conditions",
      "float v[2] = {x[i] * 2.0f, n * 1.0f}; uint a = 3, b = 1; float w[] = {a * v[0], a & b}; for (uint k = 0; a & b; ++k) b = 0; y[i] = w[0];",
    ],
    ["conditions that look like calls", "thread float a[1] = {1.0f}; thread float* p = a; if (*p) (y)[i] = 1.0f;"],
    ["bits that look like references", "uint a = i & n; if (a & n) y[i] = float((a & n) + 1);"],
    [
      "pointers of each address space",
      "thread float a[4]; thread float* p = a; device const float* q = x + i; p[0] = *q; y[i] = p[0];",
    ],
    ["a pointer to a device pointer of a thread", "device float* p = y; device float* thread* q = &p; (*q)[i] = 1.0f;"],
    ["auto", "auto p = y + i; *p = x[i];"],
    [
      "vectors, swizzles and casts of pointers",
      "float4 v = ((device const float4*)x)[i]; *(device float4*)(y + 4 * i) = v.wzyx * dot(v, v);",
    ],
    ["a cast that drops const in the same address space", "device float* p = (device float*)x; y[i] = p[i];"],
    [
      "vectors from parts",
      "float4 v = float4(x[i], float2(1.0f, 2.0f), 3.0f); float3 w = float3(1.0f); y[i] = v.x + w.y;",
    ],
    ["half and its literals", "half h = 0.5h * half(x[i]); half2 g = half2(float2(x[i], 1.0f)); y[i] = h + g.x;"],
    ["bfloat and float", "bfloat b = bfloat(x[i]); float c = b; y[i] = c + b * 2.0f + float(b * b);"],
    ["an explicit conversion of a vector", "uint2 a = uint2(float2(x[i])); y[i] = float(a.x);"],
    ["as_type", "uint bits = as_type<uint>(x[i]); half2 h = as_type<half2>(bits); y[i] = h.x + as_type<float>(bits);"],
    [
      "threadgroup memory",
      "threadgroup float s[32], t[4][8]; s[i] = x[i]; t[0][i] = 1.0f; threadgroup_barrier(mem_flags::mem_threadgroup); y[i] = s[31 - i];",
    ],
    ["a pointer to threadgroup memory", "threadgroup float s[32]; threadgroup float* p = s + i; *p = x[i]; y[i] = *p;"],
    [
      "simdgroup functions",
      "float a = simd_sum(x[i]); a += simd_shuffle_xor(a, 1); y[i] = simd_max(a) + simd_broadcast(a, 0);",
    ],
    [
      "atomics",
      "threadgroup atomic_int s; atomic_fetch_min_explicit(&s, 1, memory_order_relaxed); device atomic_float* f = (device atomic_float*)y; y[i] = atomic_fetch_add_explicit(f, x[i], memory_order_relaxed); threadgroup atomic_bool b; atomic_store_explicit(&b, true, memory_order_relaxed);",
    ],
    [
      "matrices of a simdgroup",
      "threadgroup half s[64]; s[i] = half(x[i]); threadgroup_barrier(mem_flags::mem_threadgroup); simdgroup_half8x8 a; simdgroup_load(a, s, 8); simdgroup_matrix<float, 8, 8> b, c = make_filled_simdgroup_matrix<float, 8, 8>(0.0f); simdgroup_load(b, x + 8, n, ulong2(0, 8), true); simdgroup_multiply_accumulate(c, a, b, c); simdgroup_multiply(b, c, a); b.thread_elements()[0] = c.thread_elements()[1]; simdgroup_store(b, y, n, ulong2(8, 0)); simdgroup_float8x8 d = simdgroup_float8x8(1.0f); simdgroup_store(d, y);",
    ],
    [
      "matrices of bfloat",
      "threadgroup bfloat s[64]; simdgroup_bfloat8x8 a; simdgroup_load(a, s); simdgroup_float8x8 c(0.0f); simdgroup_multiply_accumulate(c, a, a, c); y[i] = c.thread_elements()[0];",
    ],
    ["exact and fast functions", "y[i] = precise::exp(x[i]) + fast::log(x[i]) + metal::rsqrt(x[i]) + exp(x[i]);"],
    ["constants of the library", "y[i] = isnan(x[i]) ? INFINITY : clamp(x[i], -FLT_MAX, M_PI_F);"],
    ["hexadecimal and separated numbers", "y[i] = float(0xffff0000u + 1'000u) + 1e5f + .5f;"],
    ["constexpr in a function", "constexpr uint size = 4; float a[size] = {}; y[i] = a[i % size];"],
    ["long", "long a = 1L; ulong b = (ulong)i * n; y[b] = float(a);"],
    ["pragmas", '_Pragma("clang loop unroll(full)") for (uint k = 0; k < 4; ++k) y[4 * i + k] = x[k];'],
    ["members that share a function's name", "Cell c{1.0f}; y[i] = c.run();"],
  ])("%s", async (_, body) => {
    expect(await lintBody(body, "struct Cell { float a; float run() const { return a; } };")).toBe("clean");
  });
  it.each([
    [
      "tables in constant memory",
      "constant float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};\nconstant constexpr uint size = 4;\nconst constant float half_pi = 1.5f;",
    ],
    [
      "static constants of a class",
      "struct A { static constant constexpr int n = 4; static int twice(int a) { return 2 * a; } };",
    ],
    [
      "a constructor with initialisers",
      "struct A { float a; uint b; explicit A(float x) : a(x), b{1u} {} float sum() const { return a + b; } };",
    ],
    [
      "references with address spaces",
      "struct A { device float* p; thread const uint& n; A(device float* q, thread const uint& m) : p(q), n(m) {} };",
    ],
    [
      "overloads that call each other",
      "inline float add(float a, float b) { return a + b; }\ninline float add(float a) { return add(a, 1.0f); }",
    ],
    [
      "templates",
      "template <typename T, int N> struct Fixed { T values[N]; T get(uint i) const { return values[i]; } };\ntemplate <typename T> METAL_FUNC T zero() { return T(0.0f); }\ntemplate <> METAL_FUNC int zero<int>() { return 0; }",
    ],
    ["an assertion with a sentence", 'static_assert(sizeof(float3) == 16 && sizeof(bfloat) == 2, "sizes");'],
    [
      "namespaces and enumerations",
      "namespace inner { enum struct Kind : uint { one, two }; inline bool is_one(Kind k) { return k == Kind::one; } }",
    ],
    [
      "atomics",
      "kernel void f(device atomic_uint* c [[buffer(0)]]) { atomic_fetch_add_explicit(c, 1u, memory_order_relaxed); }",
    ],
    [
      "threadgroup parameters and a limit of threads",
      "[[max_total_threads_per_threadgroup(256)]] kernel void f(threadgroup float* s [[threadgroup(0)]], uint3 t [[thread_position_in_threadgroup]]) { s[t.x] = 1.0f; }",
    ],
    [
      "type macros",
      "kernel void f(device const STORAGE* x [[buffer(0)]], device STORAGE* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] = STORAGE(float(x[i]) * 2.0f); }",
    ],
  ])("%s", async (_, text) => {
    expect(await lint(text)).toBe("clean");
  });
});
