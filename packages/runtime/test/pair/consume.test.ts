import { expect, it } from "vitest";
import { consume } from "../../src/family.js";
import { ArgumentError, LifetimeError, tensor } from "../../src/index.js";
import { balanced } from "../support/memory.js";
import { repeat } from "../support/pairs.js";
import { thrown } from "../support/thrown.js";

it("moves the storage to a new handle; the old one is dead", () => {
  balanced(() => {
    const made = tensor([1, 2, 3]);
    const { storage } = made;
    const moved = consume("loss", "logits", made);
    expect(made.disposed).toBe(true);
    expect(moved.storage).toBe(storage);
    expect(Array.from(moved.dataSync())).toEqual([1, 2, 3]);
    expect(thrown(() => made.dataSync())).toBeInstanceOf(LifetimeError);
    moved.dispose();
  });
});

it("takes a view that is the last to use its storage", () => {
  balanced(() => {
    const made = tensor([1, 2, 3, 4]);
    const view = made.slice([2]);
    made.dispose();
    const moved = consume("loss", "logits", view);
    expect(Array.from(moved.dataSync())).toEqual([3, 4]);
    moved.dispose();
  });
});

it("refuses, and leaves alone, what a view, another handle or saved values share", () => {
  balanced(() => {
    const made = tensor([1, 2, 3]);
    const view = made.reshape([3, 1]);
    const error = thrown(() => consume("loss", "logits", made));
    expect(error).toBeInstanceOf(LifetimeError);
    expect(error.message).toMatchInlineSnapshot(
      `"loss: logits: expected a tensor whose storage nothing else uses, since consume: true gives it away, received one that 1 other view(s), handle(s) or saved value(s) share. Dispose of those first, or pass a clone."`,
    );
    view.dispose();
    const { output, saved } = repeat.forward(made);
    expect(thrown(() => consume("loss", "logits", made))).toBeInstanceOf(LifetimeError);
    saved.dispose();
    expect(made.disposed).toBe(false);
    consume("loss", "logits", made).dispose();
    output.dispose();
  });
});

it("refuses elements that lie on one another or apart, and disposed tensors, by the argument's name", () => {
  balanced(() => {
    const one = tensor(1);
    const wide = one.expand([4]);
    one.dispose();
    const error = thrown(() => consume("loss", "logits", wide));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatchInlineSnapshot(
      `"loss: logits: expected a contiguous tensor, since consume: true writes over it, received strides [0] for shape [4]. Pass a clone."`,
    );
    wide.dispose();
    expect(thrown(() => consume("loss", "logits", wide)).message).toMatchInlineSnapshot(
      `"loss: logits: expected a live tensor, received one that was disposed of."`,
    );
  });
});
