import { describe, expect, it } from "vitest";
import { lint, lintBody } from "./kit.js";

describe("address spaces: complains of", () => {
  it("a device pointer that becomes a thread's", async () => {
    expect(await lintBody("thread float* p = y; p[i] = 1.0f;")).toMatchInlineSnapshot(`
      "test.metal:6:17: cannot initialize a variable of type 'float *' with an lvalue of type 'device float *'
         6 |   thread float* p = y; p[i] = 1.0f;
           |                 ^"
    `);
  });
  it("a device pointer where a threadgroup's is wanted", async () => {
    expect(
      await lintBody("y[i] = first(y);", "inline float first(threadgroup float* p) { return p[0]; }"),
    ).toMatchInlineSnapshot(`
      "test.metal:6:10: no matching function for call to 'first'
         6 |   y[i] = first(y);
           |          ^
      candidate function not viable: cannot pass pointer to address space device as a pointer to address space threadgroup in 1st argument"
    `);
  });
  it("a reference to device memory that becomes a thread's", async () => {
    expect(await lintBody("set(y[i]);", "inline void set(thread float& v) { v = 1.0f; }")).toMatchInlineSnapshot(`
      "test.metal:6:3: no matching function for call to 'set'
         6 |   set(y[i]);
           |   ^
      candidate function not viable: cannot bind reference in address space device to object in address space thread in 1st argument"
    `);
  });
  it("a choice between pointers of two address spaces", async () => {
    expect(await lintBody("threadgroup float s[8]; s[i] = x[i]; y[i] = (n == 1 ? s : y)[i];")).toMatchInlineSnapshot(`
      "test.metal:6:55: incompatible operand types ('threadgroup float *' and 'device float *')
         6 |   threadgroup float s[8]; s[i] = x[i]; y[i] = (n == 1 ? s : y)[i];
           |                                                       ^"
    `);
  });
  it("a cast from one address space to another", async () => {
    expect(await lintBody("y[i] = ((threadgroup float*)y)[i];")).toMatchInlineSnapshot(`
      "test.metal:6:11: a cast keeps the address space
         6 |   y[i] = ((threadgroup float*)y)[i];
           |           ^"
    `);
  });
  it("writing to constant memory", async () => {
    expect(
      await lint("kernel void f(constant float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1.0f; }"),
    ).toMatchInlineSnapshot(`
      "test.metal:3:91: read-only variable is not assignable
         3 | kernel void f(constant float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1.0f; }
           |                                                                                           ^"
    `);
  });
  it("writing to a const buffer", async () => {
    expect(await lintBody("((device const float*)y)[i] = x[i];")).toMatchInlineSnapshot(`
      "test.metal:6:31: read-only variable is not assignable
         6 |   ((device const float*)y)[i] = x[i];
           |                               ^"
    `);
  });
  it("writing to a constant argument", async () => {
    expect(await lintBody("n = 1; y[i] = 0.0f;")).toMatchInlineSnapshot(`
      "test.metal:6:5: cannot assign to variable 'n' with const-qualified type 'constant uint &' (aka 'constant unsigned int &')
         6 |   n = 1; y[i] = 0.0f;
           |     ^"
    `);
  });
  it("dropping const from a buffer", async () => {
    expect(await lintBody("device float* p = x; y[i] = p[i];")).toMatchInlineSnapshot(`
      "test.metal:6:17: cannot initialize a variable of type 'device float *' with an lvalue of type 'device float const *'
         6 |   device float* p = x; y[i] = p[i];
           |                 ^"
    `);
  });
  it("a method that is called in device memory", async () => {
    expect(
      await lintBody(
        "y[i] = ((device Pair*)y)->sum();",
        "struct Pair { float a, b; float sum() const { return a + b; } };",
      ),
    ).toMatchInlineSnapshot(`
      "test.metal:6:10: cannot initialize object parameter of type 'const Pair' with an expression of type 'device Pair'
         6 |   y[i] = ((device Pair*)y)->sum();
           |          ^"
    `);
  });
});

describe("types: complains of", () => {
  it("a float that becomes a bfloat by itself", async () => {
    expect(await lintBody("bfloat b = x[i]; y[i] = float(b);")).toMatchInlineSnapshot(`
      "test.metal:6:10: cannot initialize a variable of type 'bfloat' with an lvalue of type 'device float const'
         6 |   bfloat b = x[i]; y[i] = float(b);
           |          ^"
    `);
  });
  it("bfloat and half in one sum", async () => {
    expect(await lintBody("y[i] = float(bfloat(x[i]) + half(x[i]));")).toMatchInlineSnapshot(`
      "test.metal:6:29: overload resolution selected deleted operator '+'
         6 |   y[i] = float(bfloat(x[i]) + half(x[i]));
           |                             ^
      candidate function not viable: no known conversion from 'half' to 'bfloat' for 2nd argument"
    `);
  });
  it("a vector of too few numbers", async () => {
    expect(await lintBody("float4 v = float4(x[i], 1.0f, 2.0f); y[i] = v.x;")).toMatchInlineSnapshot(`
      "test.metal:6:14: float4 takes 1 or 4 numbers
         6 |   float4 v = float4(x[i], 1.0f, 2.0f); y[i] = v.x;
           |              ^"
    `);
  });
  it("as_type between sizes", async () => {
    expect(await lintBody("y[i] = as_type<float>(half(x[i]));")).toMatchInlineSnapshot(`
      "test.metal:6:10: as_type keeps the number of bytes
         6 |   y[i] = as_type<float>(half(x[i]));
           |          ^"
    `);
  });
  it("max of a float and an integer", async () => {
    expect(await lintBody("y[i] = max(x[i], 0);")).toMatchInlineSnapshot(`
      "test.metal:6:10: call to 'max' is ambiguous
         6 |   y[i] = max(x[i], 0);
           |          ^"
    `);
  });
  it("a function that Metal does not have", async () => {
    expect(await lintBody("y[i] = simd_shuffel(x[i], 3);")).toMatchInlineSnapshot(`
      "test.metal:6:10: use of undeclared identifier 'simd_shuffel'; did you mean 'simd_shuffle'?
         6 |   y[i] = simd_shuffel(x[i], 3);
           |          ^"
    `);
  });
  it("a barrier that names no memory", async () => {
    expect(await lintBody("threadgroup_barrier(); y[i] = 0.0f;")).toMatchInlineSnapshot(`
      "test.metal:6:3: no matching function for call to 'threadgroup_barrier'
         6 |   threadgroup_barrier(); y[i] = 0.0f;
           |   ^
      candidate function not viable: requires 1 argument, but 0 were provided"
    `);
  });
  it("printf", async () => {
    expect(await lintBody('printf("%f", x[i]); y[i] = 0.0f;')).toMatchInlineSnapshot(`
      "test.metal:6:10: Metal has no strings
         6 |   printf("%f", x[i]); y[i] = 0.0f;
           |          ^"
    `);
  });
  it("if constexpr, which C++14 lacks", async () => {
    expect(
      await lintBody(
        "y[i] = f<true>(x[i]);",
        "template <bool B> inline float f(float x) { if constexpr (B) return x; else return -x; }",
      ),
    ).toMatchInlineSnapshot(`
      "test.metal:3:48: constexpr if is a C++17 extension
         3 | template <bool B> inline float f(float x) { if constexpr (B) return x; else return -x; }
           |                                                ^"
    `);
  });
  it("an array of a size known at run time", async () => {
    expect(await lintBody("float a[n]; a[0] = x[i]; y[i] = a[0];")).toMatchInlineSnapshot(`
      "test.metal:6:11: variable length arrays are a C99 feature
         6 |   float a[n]; a[0] = x[i]; y[i] = a[0];
           |           ^"
    `);
  });
  it("sizeof a type without size", async () => {
    expect(await lintBody("y[i] = float(sizeof(Later));", "struct Later;")).toMatchInlineSnapshot(`
      "test.metal:6:16: invalid application of 'sizeof' to an incomplete type 'Later'
         6 |   y[i] = float(sizeof(Later));
           |                ^"
    `);
  });
  it("an order of memory that Metal does not have", async () => {
    expect(
      await lintBody("y[i] = float(atomic_load_explicit((device atomic_uint*)y, memory_order_seq_cst));"),
    ).toMatchInlineSnapshot(`
      "test.metal:6:61: use of undeclared identifier 'memory_order_seq_cst'; did you mean 'memory_order_relaxed'?
         6 |   y[i] = float(atomic_load_explicit((device atomic_uint*)y, memory_order_seq_cst));
           |                                                             ^"
    `);
  });
  it("a conversion of a half to bfloat by itself", async () => {
    expect(await lintBody("half h = half(x[i]); bfloat b = h; y[i] = float(b);")).toMatchInlineSnapshot(`
      "test.metal:6:31: cannot initialize a variable of type 'bfloat' with an lvalue of type 'half'
         6 |   half h = half(x[i]); bfloat b = h; y[i] = float(b);
           |                               ^"
    `);
  });
  it("a matrix of another type than the memory it is loaded from", async () => {
    expect(await lintBody("simdgroup_half8x8 a; simdgroup_load(a, x); y[i] = 0.0f;")).toContain(
      "test.metal:6:24: no matching function for call to 'simdgroup_load'",
    );
  });
  it("a matrix that is stored to memory of no device", async () => {
    expect(
      await lintBody("simdgroup_float8x8 a(1.0f); thread float s[64]; simdgroup_store(a, s); y[i] = s[0];"),
    ).toContain("no matching function for call to 'simdgroup_store'");
  });
  it("a matrix that is not 8 by 8", async () => {
    expect(await lintBody("simdgroup_matrix<float, 4, 4> a; y[i] = a.thread_elements()[0];")).toContain(
      "matrices of a simdgroup are 8 by 8",
    );
  });
  it("sums of floats in threadgroup memory, which has no such atomics", async () => {
    expect(
      await lintBody("threadgroup atomic_float s; y[i] = atomic_fetch_add_explicit(&s, 1.0f, memory_order_relaxed);"),
    ).toContain("no matching function for call to 'atomic_fetch_add_explicit'");
  });
  it("arithmetic on an atomic", async () => {
    expect(await lintBody("device atomic_uint* c = (device atomic_uint*)y; c[0] += 1u;")).toContain(
      "invalid operands to binary expression",
    );
  });
});
