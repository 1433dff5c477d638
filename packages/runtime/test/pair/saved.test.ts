import { afterEach, describe, expect, it } from "vitest";
import { FaultError, LifetimeError, ones, Saved, scope, tensor } from "../../src/index.js";
import { failNextLaunch } from "../../src/testing.js";
import { balanced, inUse } from "../support/memory.js";
import { failure, repeat, seen, swap } from "../support/pairs.js";
import { rejected, thrown } from "../support/thrown.js";

afterEach(() => {
  failure.at = undefined;
  seen.temporaries.length = 0;
});

describe("saved", () => {
  it("keeps storage by reference: disposing of inputs and outputs is harmless", () => {
    balanced(() => {
      const source = tensor([1, 2, 3], null, "bfloat16");
      const { output, saved } = repeat.forward(source);
      const { storages } = inUse();
      source.dispose();
      output.dispose();
      expect(inUse().storages).toBe(storages - 1);
      expect(saved.bytes).toBe(6);
      using cotangent = ones([2, 3]);
      const { source: gradient } = repeat.backward(saved, cotangent);
      expect(Array.from(gradient.dataSync())).toEqual([2, 2, 2]);
      gradient.dispose();
      saved.dispose();
    });
  });

  it("says which operation made it, with which inputs, for which gradients", () => {
    const { saved } = swap.forward(tensor([1]), null, tensor([true]), { wanted: ["first"] });
    expect(saved).toBeInstanceOf(Saved);
    expect({
      operation: saved.operation,
      present: saved.present,
      wanted: saved.wanted,
      disposed: saved.disposed,
    }).toEqual({
      operation: "swap",
      present: ["first", "flags"],
      wanted: ["first"],
      disposed: false,
    });
  });

  it("may be disposed of again, and by using", () => {
    balanced(() => {
      using source = tensor([1]);
      {
        const { output, saved } = repeat.forward(source);
        using kept = saved;
        output.dispose();
        expect(kept.disposed).toBe(false);
      }
      const { output, saved } = repeat.forward(source);
      output.dispose();
      saved.dispose();
      saved.dispose();
      expect(saved.bytes).toBe(0);
    });
  });

  it("that was disposed of makes backward throw", () => {
    const { saved } = repeat.forward(tensor([1]));
    saved.dispose();
    const error = thrown(() => repeat.backward(saved, ones([2, 1])));
    expect(error).toBeInstanceOf(LifetimeError);
    expect(error.message).toMatchInlineSnapshot(`"repeat: saved: expected live saved values, received disposed ones."`);
  });

  it("whose tensor was written to makes backward throw, through any view", () => {
    const source = tensor([1, 2, 3]);
    const { saved } = repeat.forward(source);
    source.slice([1], [1]).write([9]);
    const error = thrown(() => repeat.backward(saved, ones([2, 3])));
    expect(error).toBeInstanceOf(LifetimeError);
    expect(error.message).toMatchInlineSnapshot(
      `"repeat: saved: expected "source" as the forward pass left it, received a tensor that was written to since. Run backward before writing to it, or run forward on a clone."`,
    );
    const again = repeat.forward(source).saved;
    expect(Array.from(repeat.backward(again, ones([2, 3])).source.dataSync())).toEqual([2, 2, 2]);
  });

  it("is disposed of by the scope around forward, unless it is returned", () => {
    balanced(() => {
      using source = tensor([1, 2]);
      const output = scope(() => repeat.forward(source).output);
      expect(output.disposed).toBe(false);
      output.dispose();
      const kept = scope(() => repeat.forward(source));
      expect(kept.saved.disposed).toBe(false);
      using cotangent = ones([2, 2]);
      const gradients = scope(() => repeat.backward(kept.saved, cotangent));
      expect(Array.from(gradients.source.dataSync())).toEqual([2, 2]);
      for (const each of [kept.output, kept.saved, gradients.source]) each.dispose();
    });
  });
});

describe("what an implementation makes on the way is disposed of", () => {
  it("when it succeeds", () => {
    balanced(() => {
      using source = tensor([1, 2]);
      repeat(source).dispose();
      const { output, saved } = repeat.forward(source);
      expect(seen.temporaries.length).toBe(2);
      expect(seen.temporaries.every((each) => each.disposed)).toBe(true);
      using cotangent = ones([2, 2], "float32");
      repeat.backward(saved, cotangent, { wanted: [] });
      repeat.backward(saved, cotangent).source.dispose();
      output.dispose();
      saved.dispose();
    });
  });

  it("when the plain call keeps nothing for a backward pass", () => {
    balanced(() => {
      const source = tensor([1, 2]);
      const before = inUse().storages;
      const output = repeat(source);
      source.dispose();
      expect(inUse().storages).toBe(before);
      output.dispose();
    });
  });

  it.each(["forward", "no output"] as const)("when it fails: %s", (stage) => {
    balanced(() => {
      using first = tensor([1, 2]);
      failure.at = stage;
      for (const run of [() => swap(first), () => swap.forward(first), () => scope(() => swap(first, first))])
        expect(thrown(run)).toBeInstanceOf(Error);
      expect(first.disposed).toBe(false);
    });
  });

  it.each(["backward", "no gradient"] as const)("when it fails: %s", (stage) => {
    balanced(() => {
      using first = tensor([1, 2]);
      const { left, right, saved } = swap.forward(first);
      using cotangent = ones([2]);
      failure.at = stage;
      expect(thrown(() => swap.backward(saved, { left: cotangent }))).toBeInstanceOf(Error);
      expect(saved.disposed).toBe(false);
      failure.at = undefined;
      swap.backward(saved, { left: cotangent }).first.dispose();
      for (const each of [left, right, saved]) each.dispose();
    });
  });

  it("names the gradient that an implementation forgot", () => {
    const { saved } = swap.forward(tensor([1]));
    failure.at = "no gradient";
    expect(thrown(() => swap.backward(saved, { left: ones([1]) })).message).toMatchInlineSnapshot(
      `"swap: the backward pass gave no gradient for "first""`,
    );
  });
});

describe("R33: a fault in a pair", () => {
  it("of the forward pass rejects the output and every gradient that reads it, in the operation's name", async () => {
    const source = tensor([1, 2, 3]);
    failNextLaunch("broken");
    const { output } = repeat.forward(source);
    const chained = repeat.forward(output.reshape([6]), { gradientType: "input" });
    const second = await rejected<FaultError>(chained.output.data());
    expect(second).toBeInstanceOf(FaultError);
    expect(second.operation).toBe("repeat");
    expect((await rejected<FaultError>(output.data())).message).toMatchInlineSnapshot(
      `"repeat: received a failure on the device: broken."`,
    );
    const { source: unharmed } = repeat.backward(repeat.forward(source).saved, ones([2, 3]));
    expect(Array.from(await unharmed.data())).toEqual([2, 2, 2]);
  });

  it("of the cotangent rejects the gradients; what was saved can be used again", async () => {
    const { saved } = repeat.forward(tensor([1, 2, 3]));
    const good = ones([2, 3]);
    failNextLaunch("broken");
    const bad = good.cast("bfloat16").cast("float32");
    expect(await rejected(repeat.backward(saved, bad).source.data())).toBeInstanceOf(FaultError);
    expect(Array.from(await repeat.backward(saved, good).source.data())).toEqual([2, 2, 2]);
  });
});
