import { describe, expect, it } from "vitest";
import { Source, SourceLoader } from "../src/index.js";
import { evaluate } from "../src/preprocess/condition.js";
import { preprocess } from "../src/preprocess/preprocess.js";
import { type Token, tokenize } from "../src/text/token.js";
import { temporaryFolder } from "./kit.js";

function run(text: string, headers: Record<string, string> = {}, defines: Record<string, string> = {}): string {
  const loader = new SourceLoader(temporaryFolder(headers));
  const main = loader.add(new Source("test.metal", text));
  const unit = preprocess(main, { loader, defines, opaque: new Set(["STORAGE"]) });
  return unit.tokens.map((token) => token.text).join(" ");
}

describe("macros", () => {
  it("are replaced in arguments first, and not within their own replacement", () => {
    expect(run("#define f(x) x + f(x)\n#define g f\ng(g(1))")).toBe("1 + f ( 1 ) + f ( 1 + f ( 1 ) )");
    expect(run("#define a b\n#define b a\na b")).toBe("a b");
  });

  it("take arguments that span lines and hold brackets and commas", () => {
    expect(run("#define SECOND(a, b) b\nSECOND((1, 2),\n  vec(3, 4))")).toBe("vec ( 3 , 4 )");
  });

  it("are left alone where a function-like one has no arguments", () => {
    expect(run("#define f(x) x\nf; f (2)")).toBe("f ; 2");
  });

  it("take no argument, an empty one and any number", () => {
    expect(
      run("#define none() 1\n#define one(x) [x]\n#define any(x, ...) x{__VA_ARGS__}\nnone() one() any(1) any(1, 2, 3)"),
    ).toBe("1 [ ] 1 { } 1 { 2 , 3 }");
  });

  it("drop the comma before no further arguments, as GNU compilers do", () => {
    expect(run("#define f(x, ...) g(x, ##__VA_ARGS__)\nf(1) f(1, 2)")).toBe("g ( 1 ) g ( 1 , 2 )");
  });

  it("make strings and paste tokens", () => {
    expect(run('#define s(x) #x\n#define p(a, b) = a##b##_t\ns(a + "b") p(u, int) p(, x) p(x,)')).toBe(
      '"a + \\"b\\"" = uint_t = x_t = x_t',
    );
  });

  it("read a bracket behind a space as the replacement", () => {
    expect(run("#define f (x)\nf")).toBe("( x )");
  });

  it("end with #undef, and stand for themselves when they are type macros", () => {
    expect(run("#define A 1\nA\n#undef A\nA STORAGE\n#ifndef STORAGE\nno\n#endif")).toBe("1 A STORAGE");
  });
});

describe("conditions", () => {
  it("choose one branch", () => {
    const text = "#if A == 1\none\n#elif A == 2\ntwo\n#else\nother\n#endif";
    expect([1, 2, 3].map((value) => run(text, {}, { A: String(value) }))).toEqual(["one", "two", "other"]);
  });

  it("nest, and skip what lies in a branch that is not taken", () => {
    expect(run("#ifdef NO\n#if 1\na\n#else\nb\n#endif\n#error don't\n#unknown\n#else\nc\n#endif")).toBe("c");
  });

  it("know defined with and without brackets, and take unknown names as 0", () => {
    expect(run("#if defined(A) && !defined B && UNKNOWN == 0\nyes\n#endif", {}, { A: "" })).toBe("yes");
  });

  it("compute as C++ does", () => {
    const value = (text: string) => {
      const tokens = tokenize(new Source("test.metal", text));
      return Number(evaluate(tokens, tokens[0] as Token));
    };
    expect(value("2 + 3 * 4 - 10 / 3 % 2")).toBe(13);
    expect(value("1 << 4 | 0x0F & ~3 ^ 010")).toBe(20);
    expect(value("(1 < 2) == true && !(3 >= 4 || 5 != 5) ? -7 : 1'0")).toBe(-7);
    expect(value("1 ? 0 ? 2 : 3 : 4")).toBe(3);
    expect(value("0 && 1 / 0")).toBe(0);
  });
});

describe("includes", () => {
  it("bring macros of shared headers, which #pragma once reads once", () => {
    const headers = {
      "metile/a.h": '#pragma once\n#include "metile/b.h"\n#define A B + COUNT\n',
      "metile/b.h": "#pragma once\n#ifdef COUNT\n#error twice\n#endif\n#define COUNT 1\n#define B 2\n",
    };
    expect(run('#include "metile/a.h"\n#include "metile/b.h"\n#include <metal_stdlib>\nA', headers)).toBe("2 + 1");
  });

  it("bring the text of files beside the kernel", () => {
    const folder = temporaryFolder({ "src/a/a.metal": '#include "../b.h"\nA', "src/b.h": "#define A 3\nfloat b;" });
    const loader = new SourceLoader(`${folder}/msl`);
    const main = loader.load(`${folder}/src/a/a.metal`, "src/a/a.metal");
    const unit = preprocess(main, { loader, defines: {}, opaque: new Set() });
    expect(unit.tokens.map(({ text }) => text).join(" ")).toBe("float b ; 3");
    expect(unit.tokens[0]?.source.name).toBe("src/b.h");
  });
});
