import { describe, expect, it } from "vitest";
import { ArgumentError, ones, scope, type Tensor, tensor, zeros } from "../../src/index.js";
import { balanced, inUse } from "../support/memory.js";
import { rejected, thrown } from "../support/thrown.js";

const pause = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("scope", () => {
  it("disposes of what its function made, and returns what it returned", () => {
    balanced(() => {
      const made: Tensor[] = [];
      const sum = scope(() => {
        made.push(tensor([1, 2]), zeros([3]), ones([4]));
        return made.reduce((total, each) => total + each.size, 0);
      });
      expect(sum).toBe(9);
      expect(made.every((each) => each.disposed)).toBe(true);
    });
  });

  it("lets out a tensor that is returned, in arrays, objects, maps and sets at any depth", () => {
    balanced(() => {
      const result = scope(() => {
        tensor([0]);
        return {
          one: tensor([1]),
          list: [tensor([2]), { deep: [tensor([3])] }] as const,
          map: new Map([["four", tensor([4])]]),
          set: new Set([tensor([5])]),
          nothing: null,
          number: 6,
        };
      });
      const kept = [
        result.one,
        result.list[0],
        result.list[1].deep[0],
        result.map.get("four"),
        ...result.set,
      ] as Tensor[];
      expect(kept.map((each) => each.dataSync()[0])).toEqual([1, 2, 3, 4, 5]);
      for (const each of kept) each.dispose();
    });
  });

  it("lets out a view whose tensor it disposes of", () => {
    balanced(() => {
      const view = scope(() =>
        tensor([
          [1, 2],
          [3, 4],
        ]).transpose(),
      );
      expect(Array.from(view.dataSync())).toEqual([1, 3, 2, 4]);
      view.dispose();
    });
  });

  it("leaves alone what was made outside, and what was disposed of by hand", () => {
    balanced(() => {
      const outside = tensor([1]);
      scope(() => {
        outside.handle().dispose();
        tensor([2]).dispose();
      });
      expect(outside.disposed).toBe(false);
      outside.dispose();
    });
  });

  it("gives what it lets out to the scope around it", () => {
    balanced(() => {
      let inner: Tensor | undefined;
      const outer = scope(() => {
        inner = scope(() => tensor([1]));
        expect(inner.disposed).toBe(false);
        return scope(() => scope(() => tensor([2])));
      });
      expect(inner?.disposed).toBe(true);
      expect(outer.disposed).toBe(false);
      outer.dispose();
    });
  });

  it("disposes of everything when its function throws, and passes the error on", () => {
    balanced(() => {
      const failure = new Error("mine");
      let made: Tensor | undefined;
      const error = thrown(() =>
        scope(() => {
          made = tensor([1]);
          scope(() => tensor([2]));
          throw failure;
        }),
      );
      expect(error).toBe(failure);
      expect(made?.disposed).toBe(true);
      const after = tensor([3]);
      expect(after.disposed).toBe(false);
      after.dispose();
    });
  });

  it("disposes of everything when reading its result throws", () => {
    balanced(() => {
      const error = thrown(() =>
        scope(() => ({
          made: tensor([1]),
          get broken(): never {
            throw new Error("a getter");
          },
        })),
      );
      expect(error.message).toBe("a getter");
    });
  });

  it("walks results that hold themselves", () => {
    balanced(() => {
      const result = scope(() => {
        const circle: { made: Tensor; self?: unknown } = { made: tensor([1]) };
        circle.self = circle;
        return circle;
      });
      expect(result.made.disposed).toBe(false);
      result.made.dispose();
    });
  });

  it("refuses a function that is not async and returns a promise, and disposes of what it made", () => {
    balanced(() => {
      const error = thrown(() => scope(() => Promise.resolve(tensor([1]))));
      expect(error).toBeInstanceOf(ArgumentError);
      expect(error.message).toMatchInlineSnapshot(
        `"scope: run: expected an async function, or one that returns no promise, received a function that returned a promise. Write scope(async () => …)."`,
      );
    });
  });

  it("leaves no rejection unhandled of a promise that it refuses", async () => {
    expect(thrown(() => scope(() => Promise.reject(new Error("late"))))).toBeInstanceOf(ArgumentError);
    await pause(1); // an unhandled rejection fails the run
  });
});

describe("scope of an async function", () => {
  it("ends when its promise settles: what was made before and after an await goes, what is returned stays", async () => {
    await balanced(async () => {
      const made: Tensor[] = [];
      const promise = scope(async () => {
        made.push(tensor([1]));
        await pause();
        made.push(tensor([2]));
        await made[1]?.data();
        made.push(tensor([3]));
        return { output: tensor([4]) };
      });
      expect(made[0]?.disposed).toBe(false);
      const { output } = await promise;
      expect(made.length).toBe(3);
      expect(made.every((each) => each.disposed)).toBe(true);
      expect(Array.from(await output.data())).toEqual([4]);
      output.dispose();
    });
  });

  it("disposes of everything when it rejects, and rejects with the same error", async () => {
    await balanced(async () => {
      const failure = new Error("mine");
      const error = await rejected(
        scope(async () => {
          tensor([1]);
          await pause();
          tensor([2]);
          throw failure;
        }),
      );
      expect(error).toBe(failure);
    });
  });

  it("keeps apart scopes that run at the same time, and what is made outside of them", async () => {
    await balanced(async () => {
      const seen: Tensor[][] = [[], [], []];
      const outside: Tensor[] = [];
      const run = (index: number) =>
        scope(async () => {
          for (let step = 0; step < 5; step += 1) {
            seen[index]?.push(tensor([index]));
            await pause(1 + index);
            // Only the scopes that have ended disposed of theirs.
            expect(seen[index]?.every((each) => !each.disposed)).toBe(true);
          }
        });
      const running = [run(0), run(1), run(2)];
      for (let step = 0; step < 3; step += 1) {
        await pause(2);
        outside.push(tensor([9]));
      }
      await Promise.all(running);
      expect(seen.flat().length).toBe(15);
      expect(seen.flat().every((each) => each.disposed)).toBe(true);
      expect(outside.every((each) => !each.disposed)).toBe(true);
      for (const each of outside) each.dispose();
    });
  });

  it("nests: synchronous in asynchronous, asynchronous in asynchronous", async () => {
    await balanced(async () => {
      const kept: Tensor[] = [];
      const result = await scope(async () => {
        await pause();
        kept.push(scope(() => tensor([1])));
        kept.push(
          await scope(async () => {
            tensor([0]);
            await pause();
            return tensor([2]);
          }),
        );
        await pause();
        expect(kept.every((each) => !each.disposed)).toBe(true);
        return kept[1] as Tensor;
      });
      expect(kept[0]?.disposed).toBe(true);
      expect(result.disposed).toBe(false);
      result.dispose();
    });
  });

  it("a timer that outlives its scope keeps what it makes, and holds nothing that it disposes of", async () => {
    await balanced(async () => {
      const late: Tensor[] = [];
      await scope(async () => {
        await pause();
        setTimeout(() => late.push(tensor([1]), tensor([2])), 5);
      });
      await pause(20);
      expect(late.map((each) => each.disposed)).toEqual([false, false]);
      for (const each of late) each.dispose();
    });
  });

  it("thousands at once leave nothing", async () => {
    const before = inUse();
    await Promise.all(
      Array.from({ length: 2000 }, (_, index) =>
        scope(async () => {
          const made = tensor([index]);
          await null;
          return made.cast("int32").dataSync()[0];
        }),
      ),
    );
    expect(inUse()).toEqual(before);
  });
});
