import { describe, expect, it } from "vitest";
import { lint, lintBody } from "./kit.js";

describe("words and literals: complains of", () => {
  it("double", async () => {
    expect(await lintBody("double d = 1.0f; y[i] = d;")).toMatchInlineSnapshot(`
      "test.metal:6:3: there is no double on a GPU; use float
         6 |   double d = 1.0f; y[i] = d;
           |   ^"
    `);
  });
  it("a literal without suffix", async () => {
    expect(await lintBody("y[i] = x[i] * 0.1;")).toMatchInlineSnapshot(`
      "test.metal:6:17: 0.1 is a double in C++; write 0.1f
         6 |   y[i] = x[i] * 0.1;
           |                 ^"
    `);
  });
  it("an exponent without suffix", async () => {
    expect(await lintBody("y[i] = x[i] * 1e-5;")).toMatchInlineSnapshot(`
      "test.metal:6:17: 1e-5 is a double in C++; write 1e-5f
         6 |   y[i] = x[i] * 1e-5;
           |                 ^"
    `);
  });
  it("a long double literal", async () => {
    expect(await lintBody("y[i] = x[i] * 1.0L;")).toMatchInlineSnapshot(`
      "test.metal:6:17: 1.0L is a long double, which Metal has not; write f
         6 |   y[i] = x[i] * 1.0L;
           |                 ^"
    `);
  });
  it("long long", async () => {
    expect(await lintBody("long long a = 1; y[i] = a;")).toMatchInlineSnapshot(`
      "test.metal:6:3: Metal has no long long; long has 64 bits
         6 |   long long a = 1; y[i] = a;
           |   ^"
    `);
  });
  it("a long long literal", async () => {
    expect(await lintBody("y[i] = float(1ll);")).toMatchInlineSnapshot(`
      "test.metal:6:16: 1ll is a long long, which Metal has not; write L
         6 |   y[i] = float(1ll);
           |                ^"
    `);
  });
  it("goto", async () => {
    expect(await lintBody("if (i) goto end; y[i] = 0.0f; end:;")).toMatchInlineSnapshot(`
      "test.metal:6:10: Metal has no goto
         6 |   if (i) goto end; y[i] = 0.0f; end:;
           |          ^"
    `);
  });
  it("new", async () => {
    expect(await lintBody("thread float* p = new float[4]; y[i] = p[0];")).toMatchInlineSnapshot(`
      "test.metal:6:21: Metal has no new; memory comes from buffers and from arrays of a fixed size
         6 |   thread float* p = new float[4]; y[i] = p[0];
           |                     ^"
    `);
  });
  it("delete", async () => {
    expect(await lintBody("delete y;")).toMatchInlineSnapshot(`
      "test.metal:6:3: Metal has no delete; memory comes from buffers and from arrays of a fixed size
         6 |   delete y;
           |   ^"
    `);
  });
  it("throw", async () => {
    expect(await lintBody("if (i > 3) throw 1; y[i] = 0.0f;")).toMatchInlineSnapshot(`
      "test.metal:6:14: Metal has no exceptions; report through a status buffer
         6 |   if (i > 3) throw 1; y[i] = 0.0f;
           |              ^"
    `);
  });
  it("try", async () => {
    expect(await lintBody("try { y[i] = 0.0f; } catch (...) {}")).toMatchInlineSnapshot(`
      "test.metal:6:3: Metal has no exceptions; report through a status buffer
         6 |   try { y[i] = 0.0f; } catch (...) {}
           |   ^
      test.metal:6:24: Metal has no exceptions; report through a status buffer
         6 |   try { y[i] = 0.0f; } catch (...) {}
           |                        ^"
    `);
  });
  it("dynamic_cast", async () => {
    expect(await lintBody("y[i] = *dynamic_cast<device float*>(y);")).toMatchInlineSnapshot(`
      "test.metal:6:11: Metal has no dynamic_cast
         6 |   y[i] = *dynamic_cast<device float*>(y);
           |           ^"
    `);
  });
  it("typeid", async () => {
    expect(await lintBody("y[i] = typeid(x) == typeid(y) ? 1.0f : 0.0f;")).toMatchInlineSnapshot(`
      "test.metal:6:10: Metal has no typeid
         6 |   y[i] = typeid(x) == typeid(y) ? 1.0f : 0.0f;
           |          ^
      test.metal:6:23: Metal has no typeid
         6 |   y[i] = typeid(x) == typeid(y) ? 1.0f : 0.0f;
           |                       ^"
    `);
  });
  it("thread_local", async () => {
    expect(await lintBody("thread_local float a = 1.0f; y[i] = a;")).toMatchInlineSnapshot(`
      "test.metal:6:3: Metal has no thread_local; variables of a function are a thread's own
         6 |   thread_local float a = 1.0f; y[i] = a;
           |   ^"
    `);
  });
  it("assembly", async () => {
    expect(await lintBody('asm("nop"); y[i] = 0.0f;')).toMatchInlineSnapshot(`
      "test.metal:6:3: Metal has no assembly
         6 |   asm("nop"); y[i] = 0.0f;
           |   ^
      test.metal:6:7: Metal has no strings
         6 |   asm("nop"); y[i] = 0.0f;
           |       ^"
    `);
  });
  it("std::", async () => {
    expect(await lintBody("y[i] = std::exp(x[i]);")).toMatchInlineSnapshot(`
      "test.metal:6:10: the standard library of Metal is namespace metal, not std
         6 |   y[i] = std::exp(x[i]);
           |          ^"
    `);
  });
  it("a string", async () => {
    expect(await lintBody('constant char* s = "abc"; y[i] = s[0];')).toMatchInlineSnapshot(`
      "test.metal:6:22: Metal has no strings
         6 |   constant char* s = "abc"; y[i] = s[0];
           |                      ^"
    `);
  });
  it("a lambda", async () => {
    expect(await lintBody("auto f = [](float v) { return v; }; y[i] = f(x[i]);")).toMatchInlineSnapshot(`
      "test.metal:6:12: Metal has no lambdas; write a function
         6 |   auto f = [](float v) { return v; }; y[i] = f(x[i]);
           |            ^"
    `);
  });
  it("a lambda that captures", async () => {
    expect(await lintBody("y[i] = twice([&](float v) { return v; });")).toMatchInlineSnapshot(`
      "test.metal:6:16: Metal has no lambdas; write a function
         6 |   y[i] = twice([&](float v) { return v; });
           |                ^"
    `);
  });
  it("a pointer to a function", async () => {
    expect(await lintBody("float (*f)(float) = exp; y[i] = f(x[i]);")).toMatchInlineSnapshot(`
      "test.metal:6:9: Metal has no pointers to functions
         6 |   float (*f)(float) = exp; y[i] = f(x[i]);
           |         ^"
    `);
  });
  it("a static variable", async () => {
    expect(await lintBody("static int c = 0; y[i] = ++c;")).toMatchInlineSnapshot(`
      "test.metal:6:3: Metal has no static variables in functions
         6 |   static int c = 0; y[i] = ++c;
           |   ^"
    `);
  });
  it("a virtual function", async () => {
    expect(await lint("struct A { virtual float f() const { return 1.0f; } };")).toMatchInlineSnapshot(`
      "test.metal:3:12: Metal has no virtual functions
         3 | struct A { virtual float f() const { return 1.0f; } };
           |            ^"
    `);
  });
  it("a header of C++", async () => {
    expect(await lint("#include <cmath>")).toMatchInlineSnapshot(`
      "test.metal:3:10: <cmath> is no header of Metal; shared headers are included as "metile/…"
         3 | #include <cmath>
           |          ^"
    `);
  });
  it("a function with a variable number of arguments", async () => {
    expect(await lint("inline float f(int n, ...) { return 1.0f; }")).toMatchInlineSnapshot(`
      "test.metal:3:23: Metal has no functions with a variable number of arguments
         3 | inline float f(int n, ...) { return 1.0f; }
           |                       ^"
    `);
  });
  it("a function that calls itself", async () => {
    expect(
      await lint("inline float f(float x, int n) { return n == 0 ? x : f(x * 2.0f, n - 1); }"),
    ).toMatchInlineSnapshot(`
      "test.metal:3:14: Metal has no recursion: f calls f
         3 | inline float f(float x, int n) { return n == 0 ? x : f(x * 2.0f, n - 1); }
           |              ^"
    `);
  });
  it("functions that call each other", async () => {
    expect(
      await lint(
        "float g(int n);\ninline float f(int n) { return g(n); }\ninline float g(int n) { return n ? f(n - 1) : 1.0f; }",
      ),
    ).toMatchInlineSnapshot(`
      "test.metal:4:14: Metal has no recursion: f calls g calls f
         4 | inline float f(int n) { return g(n); }
           |              ^
      test.metal:5:14: Metal has no recursion: g calls f calls g
         5 | inline float g(int n) { return n ? f(n - 1) : 1.0f; }
           |              ^"
    `);
  });
});
