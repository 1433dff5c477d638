import { describe, expect, it } from "vitest";
import { Tokenizer } from "./tokenizer.js";

const text = "low low low low low lower lower newest newest newest newest newest newest widest widest widest";

describe("Tokenizer", () => {
  it("learns the most frequent pair first", () => {
    const tokenizer = Tokenizer.train(text, 257);
    // "es" and "st" both occur nine times, and "es" has the lower first byte.
    expect(tokenizer.size).toBe(257);
    expect(tokenizer.decode([256])).toBe("es");
  });

  it("builds tokens from tokens", () => {
    const tokenizer = Tokenizer.train(text, 300);
    const encoded = tokenizer.encode(" newest");
    expect(encoded).toHaveLength(1);
    expect(tokenizer.decode(encoded)).toBe(" newest");
  });

  it("gives back every text, seen or not, with any letters", () => {
    const tokenizer = Tokenizer.train(text, 280);
    for (const other of [text, "", " ", "slowest\n\ttree 42!!", "größer 東京 🙂 e\u0301", "\u0000\u007f"])
      expect(tokenizer.decode(tokenizer.encode(other))).toBe(other);
  });

  it("encodes in fewer tokens than bytes what it was trained on", () => {
    const tokenizer = Tokenizer.train(text, 400);
    expect(tokenizer.encode(text).length).toBeLessThan(text.length / 3);
  });

  it("is bytes alone for a vocabulary of 256, and stops where no pair occurs twice", () => {
    expect(Tokenizer.train(text, 256).encode("low")).toEqual([108, 111, 119]);
    expect(Tokenizer.train("abc", 1000).size).toBe(256);
  });

  it("gives the same tokenizer for the same text", () => {
    const [first, second] = [Tokenizer.train(text, 300), Tokenizer.train(text, 300)];
    expect(first.encode(text)).toEqual(second.encode(text));
  });

  it("merges overlapping pairs from the left", () => {
    const tokenizer = Tokenizer.train("aaa aaa aaa", 257);
    expect(tokenizer.encode("aaaa")).toEqual([256, 256]);
    expect(tokenizer.encode("aaa")).toEqual([256, 97]);
  });
});
