import { describe, expect, it } from "vitest";
import { ArgumentError, ones, tensor, zeros } from "../../src/index.js";
import { repeat, seen, swap } from "../support/pairs.js";
import { thrown } from "../support/thrown.js";

const source = tensor([1, 2, 3]);
const second = tensor([4, 5, 6], null, "bfloat16");

describe("gradientType", () => {
  it("is float32 unless forward or backward says input", () => {
    const half = tensor([1, 2, 3], null, "float16");
    const cotangent = ones([2, 3]);
    const plain = repeat.forward(half).saved;
    expect(repeat.backward(plain, cotangent).source.dtype).toBe("float32");
    expect(repeat.backward(plain, cotangent, { gradientType: "input" }).source.dtype).toBe("float16");
    const input = repeat.forward(half, { gradientType: "input" }).saved;
    expect(repeat.backward(input, cotangent).source.dtype).toBe("float16");
    expect(repeat.backward(input, cotangent, { gradientType: "float32" }).source.dtype).toBe("float32");
  });

  it("that does not exist is refused", () => {
    const { saved } = repeat.forward(source);
    expect(
      thrown(() => repeat.backward(saved, ones([2, 3]), { gradientType: "half" as never })).message,
    ).toMatchInlineSnapshot(`"repeat: gradientType: expected "float32" or "input", received "half"."`);
  });
});

describe("wanted", () => {
  it("R17: at forward, keeps and computes no more than it names; reading another gradient throws by name", () => {
    const { saved } = swap.forward(source, second, null, { wanted: ["second"] });
    const gradients = swap.backward(saved, { left: ones([3]) });
    expect(Object.keys(gradients)).toEqual(["second"]);
    const error = thrown<ArgumentError>(() => gradients.first);
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.argument).toBe("first");
    expect(error.message).toMatchInlineSnapshot(
      `"swap: first: expected a gradient that was asked for, received one that was not wanted, or an input that was not given. Name "first" in wanted, at forward and backward, or leave wanted out."`,
    );
  });

  it("R17: at backward, computes no more than it names", () => {
    const { saved } = swap.forward(source, second);
    const gradients = swap.backward(saved, { left: ones([3]) }, { wanted: ["first"] });
    expect(Object.keys(gradients)).toEqual(["first"]);
    expect(thrown(() => gradients.second)).toBeInstanceOf(ArgumentError);
  });

  it("reaches the implementation, so that it can save less", () => {
    const { saved } = repeat.forward(source, { wanted: [] });
    expect(seen.wanted).toEqual(new Set());
    expect(saved.bytes).toBe(0);
    expect(Object.keys(repeat.backward(saved, ones([2, 3])))).toEqual([]);
    expect(repeat.forward(source).saved.bytes).toBe(12);
    expect(seen.wanted).toEqual(new Set(["source"]));
  });

  it("at backward may not name what forward was not asked for, nor what was not given", () => {
    const { saved } = swap.forward(source, second, null, { wanted: ["second"] });
    expect(
      thrown(() => swap.backward(saved, { left: ones([3]) }, { wanted: ["first"] })).message,
    ).toMatchInlineSnapshot(`"swap: wanted: expected names among "second", received "first"."`);
    const alone = swap.forward(source).saved;
    expect(
      thrown(() => swap.backward(alone, { left: ones([3]) }, { wanted: ["second"] })).message,
    ).toMatchInlineSnapshot(`"swap: wanted: expected names among "first", received "second"."`);
    expect(thrown(() => swap.backward(alone, { left: ones([3]) }).second).message).toMatchInlineSnapshot(
      `"swap: second: expected a gradient that was asked for, received one that was not wanted, or an input that was not given. Name "second" in wanted, at forward and backward, or leave wanted out."`,
    );
  });

  it("is copied: changing the list afterwards changes nothing", () => {
    const wanted = ["second"];
    const { saved } = swap.forward(source, second, null, { wanted });
    wanted.push("first");
    expect(Object.keys(swap.backward(saved, { left: ones([3]) }))).toEqual(["second"]);
  });

  it("an input without gradient throws by name, too", () => {
    const { saved } = swap.forward(source, second, zeros([1], "bool"));
    const gradients = swap.backward(saved, { left: ones([3]) }) as unknown as { flags: unknown };
    expect(thrown(() => gradients.flags).message).toMatchInlineSnapshot(
      `"swap: flags: expected a gradient that was asked for, received an input without gradient."`,
    );
  });
});
