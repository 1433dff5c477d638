import { describe, expect, it } from "vitest";
import { currentRecorder, type RecordedCall, type Recorder, withRecorder } from "../../src/family.js";
import { ArgumentError, ones, scope, type Tensor, tensor } from "../../src/index.js";
import { balanced, inUse } from "../support/memory.js";
import { repeat, seen, swap } from "../support/pairs.js";
import { thrown } from "../support/thrown.js";

/** A recorder that wants gradients of some inputs and keeps what it is given. */
function recorder(
  wants: readonly string[] | ((inputs: Readonly<Record<string, Tensor>>) => readonly string[]),
): Recorder & { calls: RecordedCall[] } {
  const calls: RecordedCall[] = [];
  return { calls, wants: typeof wants === "function" ? wants : () => wants, record: (call) => calls.push(call) };
}

/** Everything that a recorded call holds. */
function disposeOf({ outputs, saved }: RecordedCall): void {
  saved.dispose();
  for (const output of Object.values(outputs)) output.dispose();
}

describe("a recorder", () => {
  it("is given each plain call, with what its backward pass needs", () => {
    balanced(() => {
      using source = tensor([1, 2]);
      const tape = recorder(["source"]);
      const output = withRecorder(tape, () => repeat(source, { count: 3 }));
      expect(tape.calls.length).toBe(1);
      const call = tape.calls[0] as RecordedCall;
      expect(call.name).toBe("repeat");
      expect(call.inputs).toEqual({ source });
      expect(call.outputs.output).toBe(output);
      using cotangent = ones([3, 2]);
      const { source: gradient } = call.backward({ output: cotangent }, ["source"]);
      expect(Array.from((gradient as Tensor).dataSync())).toEqual([3, 3]);
      gradient?.dispose();
      disposeOf(call);
    });
  });

  it("runs pairs backwards in the order of a chain", () => {
    const source = tensor([1, 2]);
    const tape = recorder((inputs) => Object.keys(inputs));
    const last = withRecorder(tape, () => repeat(repeat(source, { count: 2 }).reshape([4]), { count: 3 }));
    expect(last.shape).toEqual([3, 4]);
    let cotangent: Tensor = ones([3, 4]);
    for (const call of tape.calls.toReversed()) {
      const [output] = Object.values(call.outputs) as [Tensor];
      cotangent = call.backward({ output: cotangent.reshape(output.shape) }, ["source"]).source as Tensor;
    }
    expect(Array.from(cotangent.dataSync())).toEqual([6, 6]);
  });

  it("is asked which inputs it wants, and only those are kept", () => {
    using first = tensor([1, 2]);
    using second = tensor([3, 4]);
    const asked: string[][] = [];
    const tape = recorder((inputs) => {
      asked.push(Object.keys(inputs));
      return ["second"];
    });
    withRecorder(tape, () => swap(first, second));
    expect(asked).toEqual([["first", "second"]]);
    const call = tape.calls[0] as RecordedCall;
    expect(call.saved.wanted).toEqual(["second"]);
    expect(thrown(() => call.backward({ left: first }, ["first"]))).toBeInstanceOf(ArgumentError);
    expect(Array.from((call.backward({ left: first }, ["second"]).second as Tensor).dataSync())).toEqual([1, 2]);
  });

  it("that wants nothing is given nothing, and nothing is saved", () => {
    balanced(() => {
      using source = tensor([1, 2]);
      const tape = recorder([]);
      const { storages } = inUse();
      const output = withRecorder(tape, () => repeat(source));
      expect(tape.calls).toEqual([]);
      expect(seen.wanted).toEqual(new Set());
      expect(inUse().storages).toBe(storages + 1);
      output.dispose();
    });
  });

  it("wants no more than the call's own wanted allows", () => {
    using first = tensor([1]);
    using second = tensor([2]);
    const tape = recorder(["first", "second"]);
    withRecorder(tape, () => swap(first, second, null, { wanted: ["first"] }));
    expect(tape.calls[0]?.saved.wanted).toEqual(["first"]);
    withRecorder(tape, () => swap(first, second, null, { wanted: [] }));
    expect(tape.calls.length).toBe(1);
  });

  it("that wants an input without gradient is told so", () => {
    balanced(() => {
      using first = tensor([1]);
      using flags = tensor([true]);
      expect(thrown(() => withRecorder(recorder(["flags"]), () => swap(first, null, flags)))).toBeInstanceOf(
        ArgumentError,
      );
    });
  });

  it("keeps what it recorded past the end of a scope", () => {
    balanced(() => {
      using source = tensor([1, 2]);
      const tape = recorder(["source"]);
      scope(() => {
        withRecorder(tape, () => repeat(source));
      });
      const call = tape.calls[0] as RecordedCall;
      expect(call.outputs.output?.disposed).toBe(true);
      expect(call.saved.disposed).toBe(false);
      using cotangent = ones([2, 2]);
      const { source: gradient } = call.backward({ output: cotangent }, ["source"]);
      expect(Array.from((gradient as Tensor).dataSync())).toEqual([2, 2]);
      gradient?.dispose();
      call.saved.dispose();
    });
  });

  it("is not given forward(), nor what runs outside", () => {
    const tape = recorder(["source"]);
    withRecorder(tape, () => repeat.forward(tensor([1])));
    repeat(tensor([1]));
    expect(tape.calls).toEqual([]);
  });

  it("nests, and comes back after an error", () => {
    const outer = recorder([]);
    const inner = recorder([]);
    withRecorder(outer, () => {
      withRecorder(inner, () => expect(currentRecorder()).toBe(inner));
      withRecorder(undefined, () => expect(currentRecorder()).toBeUndefined());
      thrown(() =>
        withRecorder(inner, () => {
          throw new Error("mine");
        }),
      );
      expect(currentRecorder()).toBe(outer);
    });
    expect(currentRecorder()).toBeUndefined();
  });

  it("that throws leaves nothing behind, and its error is passed on", () => {
    balanced(() => {
      using source = tensor([1, 2]);
      const broken: Recorder = {
        wants: () => ["source"],
        record() {
          throw new Error("the tape is full");
        },
      };
      expect(thrown(() => withRecorder(broken, () => repeat(source))).message).toBe("the tape is full");
      expect(source.disposed).toBe(false);
    });
  });
});
