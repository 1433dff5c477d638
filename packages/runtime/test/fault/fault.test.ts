import { describe, expect, it } from "vitest";
import { device, FaultError, MetileError, ones, type Tensor, tensor } from "../../src/index.js";
import { failNextLaunch } from "../../src/testing.js";
import { balanced } from "../support/memory.js";
import { rejected, thrown } from "../support/thrown.js";

/** A tensor whose launch failed. */
function faulted(message: string): Tensor<"int32"> {
  using source = tensor([1, 2, 3, 4]);
  failNextLaunch(message);
  return source.cast("int32");
}

describe("R33: a launch that fails on the device", () => {
  it("rejects the read of its result with a typed error that says why", async () => {
    const failed = faulted("the test asked for it");
    const error = await rejected<FaultError>(failed.data());
    expect(error).toBeInstanceOf(FaultError);
    expect(error).toBeInstanceOf(MetileError);
    expect(error.name).toBe("FaultError");
    expect(error.message).toContain("the test asked for it");
    expect(error.status).toBeUndefined();
    expect(error.cause).toBeInstanceOf(Error);
    failed.dispose();
  });

  it("names the operation that failed, in its dependents too", async () => {
    const failed = faulted("first");
    using dependent = failed.cast("bfloat16");
    expect((await rejected<FaultError>(failed.data())).message).toMatchInlineSnapshot(
      `"kernel: received a failure on the device: first."`,
    );
    expect((await rejected<FaultError>(dependent.data())).message).toMatchInlineSnapshot(
      `"kernel: received a failure on the device: first."`,
    );
    failed.dispose();
  });

  it("ends in one full stop, whatever the device said", async () => {
    using failed = faulted("The device was removed.");
    expect((await rejected<FaultError>(failed.data())).message).toMatch(/removed\.$/);
    expect((await rejected<FaultError>(failed.data())).message).not.toMatch(/\.\.$/);
  });

  it("makes every way to read throw or reject, as often as it is tried", async () => {
    using failed = faulted("again");
    using halves = failed.cast("float16");
    for (let round = 0; round < 2; round += 1) {
      expect(await rejected(failed.data())).toBeInstanceOf(FaultError);
      expect(thrown(() => failed.dataSync())).toBeInstanceOf(FaultError);
      expect(await rejected(halves.bits())).toBeInstanceOf(FaultError);
      expect(thrown(() => halves.bitsSync())).toBeInstanceOf(FaultError);
    }
  });

  it("reaches views, copies and copies of copies, and nothing else", async () => {
    using source = tensor([1, 2, 3, 4]);
    using before = source.cast("int32");
    failNextLaunch("one launch");
    using failed = source.cast("int32");
    using view = failed.reshape([2, 2]);
    using turned = view.transpose();
    using copy = turned.clone();
    using second = copy.cast("float32");
    using beside = source.cast("int32");
    for (const each of [failed, view, turned, copy, second] as Tensor[])
      expect(await rejected(each.data())).toBeInstanceOf(FaultError);
    for (const each of [source, before, beside] as Tensor[])
      expect(Array.from(await each.data())).toEqual([1, 2, 3, 4]);
  });

  it("leaves later operations working, one failure after the other", async () => {
    for (let round = 0; round < 20; round += 1) {
      using failed = faulted(`round ${round}`);
      using source = ones([8]);
      using fresh = source.cast("int32");
      expect((await rejected(failed.data())).message).toContain(`round ${round}`);
      expect(Array.from(await fresh.data())).toEqual(Array(8).fill(1));
    }
  });

  it("does not stay in memory that is used again", async () => {
    for (let round = 0; round < 10; round += 1) {
      faulted("gone with its storage").dispose();
      using next = ones([4], "int32");
      expect(Array.from(await next.data())).toEqual([1, 1, 1, 1]);
    }
  });

  it("is cleared by writing all values anew", async () => {
    using failed = faulted("until it is written");
    failed.write([5, 6, 7, 8]);
    expect(Array.from(await failed.data())).toEqual([5, 6, 7, 8]);
  });

  it("settles reads in order: what was asked before the failure resolves", async () => {
    using target = tensor([1, 2, 3, 4]);
    const early = target.data();
    using failed = faulted("later");
    const late = failed.data();
    expect(Array.from(await early)).toEqual([1, 2, 3, 4]);
    expect(await rejected(late)).toBeInstanceOf(FaultError);
  });

  it("does not reject synchronize(), and counts as completed", async () => {
    using failed = faulted("quiet");
    await device().synchronize();
    device().synchronizeSync();
    const { launches, completed } = device().counters;
    expect(completed).toBe(launches);
    expect(failed.disposed).toBe(false);
  });

  it("leaves nothing allocated when its tensors are disposed of", async () => {
    await balanced(async () => {
      const failed = faulted("counted");
      const square = failed.reshape([2, 2]);
      const turned = square.transpose();
      await rejected(turned.data());
      thrown(() => turned.dataSync());
      for (const each of [failed, square, turned]) each.dispose();
    });
  });
});
