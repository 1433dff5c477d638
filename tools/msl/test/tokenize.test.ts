import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MslError, Source } from "../src/index.js";
import { tokenize } from "../src/text/token.js";

const texts = (text: string) => tokenize(new Source("test.metal", text)).map((token) => token.text);
const kinds = (text: string) => tokenize(new Source("test.metal", text)).map((token) => token.kind);

describe("tokenize", () => {
  it("takes the longest punctuator", () => {
    expect(texts("a>>=b->c::d...##<<e&&!f")).toEqual([
      "a",
      ">>=",
      "b",
      "->",
      "c",
      "::",
      "d",
      "...",
      "##",
      "<<",
      "e",
      "&&",
      "!",
      "f",
    ]);
  });

  it("reads numbers whole: suffixes, exponents, hexadecimal floats, separators", () => {
    const numbers = ["1", "3u", "1.5f", ".5h", "1e+5", "0x1p-3", "0xFFul", "1'000'000", "5."];
    expect(texts(numbers.join(" "))).toEqual(numbers);
    expect(new Set(kinds(numbers.join(" ")))).toEqual(new Set(["number"]));
  });

  it("keeps quotation marks, comment marks and brackets inside strings", () => {
    expect(texts(String.raw`"a \" // { /*" '\'' "]]"`)).toEqual([String.raw`"a \" // { /*"`, String.raw`'\''`, '"]]"']);
  });

  it("reads raw strings to their own delimiter", () => {
    expect(texts('R"x(a)" )y" \n)x" b')).toEqual(['R"x(a)" )y" \n)x"', "b"]);
  });

  it("skips comments, also those that a backslash carries on", () => {
    expect(texts("a /* b\n // */ c // d \\\n e\nf")).toEqual(["a", "c", "f"]);
  });

  it("takes a continued line as one logical line", () => {
    const tokens = tokenize(new Source("test.metal", "#define A \\\n 1\nB"));
    expect(tokens.filter(({ leading }) => leading).map(({ text }) => text)).toEqual(["#", "B"]);
  });

  it("sees lines that end in CR LF or CR as those that end in LF", () => {
    const places = (text: string) => {
      const source = new Source("test.metal", text);
      return tokenize(source).map(({ text: word, start }) => [word, source.position(start)]);
    };
    const lines = ["kernel void f(", "  uint i // x", "  [[buffer(0)]]", ")"];
    expect(places(lines.join("\r\n"))).toEqual(places(lines.join("\n")));
    expect(places(lines.join("\r"))).toEqual(places(lines.join("\n")));
  });

  it("leaves a lone quotation mark to whoever reads that line", () => {
    expect(kinds("#error don't")).toEqual(["punctuator", "identifier", "identifier", "stray", "identifier"]);
  });

  it("tells where a comment without end began", () => {
    expect(() => texts("a\n /* b")).toThrowErrorMatchingInlineSnapshot(`
      [MslError: test.metal:2:2: this comment has no end; expected */
         2 |  /* b
           |  ^]
    `);
  });

  it("refuses a raw string without end and characters that C++ does not know", () => {
    expect(() => texts('R"(a')).toThrowErrorMatchingInlineSnapshot(`
      [MslError: test.metal:1:1: this raw string has no end; expected )"
         1 | R"(a
           | ^]
    `);
    expect(() => texts("float µ;")).toThrowErrorMatchingInlineSnapshot(`
      [MslError: test.metal:1:7: unexpected character "µ"
         1 | float µ;
           |       ^]
    `);
    expect(() => texts("€")).toThrow(MslError);
  });

  it("loses nothing: tokens and what lies between them are the text", () => {
    const piece = fc.constantFrom(
      "kernel",
      "x1",
      " ",
      "\n",
      "\t",
      "// c\n",
      "/* c */",
      "\\\n",
      "1.5e-3f",
      "0x1F",
      '"s"',
      "'c'",
      ">>=",
      "[[",
      "::",
      "#",
      "<",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const source = new Source("test.metal", pieces.join(""));
        let at = 0;
        for (const token of tokenize(source)) {
          const between = source.text.slice(at, token.start);
          expect(between.replace(/\/\*[\s\S]*?\*\/|\/\/(?:\\\n|[^\n])*|\\\n|\s/g, "")).toBe("");
          expect(source.text.slice(token.start, token.end)).toBe(token.text);
          at = token.end;
        }
      }),
    );
  });
});
