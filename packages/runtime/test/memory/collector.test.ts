import { expect, it } from "vitest";
import { evaluate } from "../support/process.js";

const collect = `
import { definePair, device, scope, tensor, zeros } from "@metile/runtime";
const collect = async () => {
  for (let round = 0; round < 5; round += 1) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const inUse = () => device().memory.storages;
`;

it("tensors, views and saved values that are forgotten are released by the garbage collector", async () => {
  const seen = await evaluate<number[]>(
    `${collect}
    const pair = definePair({
      contract: {
        name: "copyOf", family: "test", summary: "", formula: "", gradients: {}, source: "",
        inputs: { source: { shape: "(…)", differentiable: true, dtypes: ["float32"], summary: "" } },
        outputs: { output: { shape: "(…)", summary: "" } },
        options: {}, bounds: {}, determinism: "bitwise", tolerances: {},
      },
      forward: ({ inputs }) => ({ outputs: { output: inputs.source.clone() }, save: { source: inputs.source }, state: null }),
      backward: ({ cotangents }) => ({ source: cotangents.output.clone() }),
    });
    const seen = [inUse()];
    const forget = () => {
      const made = zeros([1000]);
      made.reshape([10, 100]).transpose();
      made.cast("bfloat16");
      pair.forward(made);
    };
    for (let index = 0; index < 100; index += 1) forget();
    seen.push(inUse());
    await collect();
    seen.push(inUse());
    console.log(JSON.stringify(seen));`,
    { flags: ["--expose-gc"] },
  );
  expect(seen).toEqual([0, 300, 0]);
});

it("a read leaves nothing with Node, at once or by promise", async () => {
  const seen = await evaluate<number[]>(
    `import { getHeapStatistics } from "node:v8";
    ${collect}
    const handles = async () => {
      await collect();
      return getHeapStatistics().used_global_handles_size;
    };
    const source = tensor(new Float32Array(2 ** 16).fill(1));
    const few = tensor([1]);
    const read = async () => {
      await source.data();
      await few.data();
    };
    await read();
    const before = await handles();
    for (let index = 0; index < 500; index += 1) await read();
    console.log(JSON.stringify([await handles() - before]));`,
    { flags: ["--expose-gc"] },
  );
  expect(seen[0]).toBeLessThan(4000); // a handle takes 32 bytes
});

it("a tensor that is held, or whose view is held, stays", async () => {
  const seen = await evaluate<unknown[]>(
    `${collect}
    const held = tensor([1, 2, 3]);
    let view = tensor([[4, 5]]).transpose();
    await collect();
    const seen = [inUse(), Array.from(held.dataSync()), Array.from(view.dataSync())];
    view = undefined;
    await collect();
    seen.push(inUse());
    console.log(JSON.stringify(seen));`,
    { flags: ["--expose-gc"] },
  );
  expect(seen).toEqual([2, [1, 2, 3], [4, 5], 1]);
});

it("what was disposed of by hand is not released a second time", async () => {
  const seen = await evaluate<number[]>(
    `${collect}
    const held = tensor([1]);
    for (let index = 0; index < 200; index += 1) {
      const made = tensor([index]);
      const view = made.reshape([1, 1]);
      if (index % 2) made.dispose();
      else view.dispose();
      if (index % 3) view.dispose();
    }
    await collect();
    console.log(JSON.stringify([inUse(), held.dataSync()[0]]));`,
    { flags: ["--expose-gc"] },
  );
  expect(seen).toEqual([1, 1]);
});

it("timers made inside a scope that has ended hold no tensors", async () => {
  const seen = await evaluate<number>(
    `${collect}
    let ticks = 0;
    await scope(async () => {
      await null;
      await new Promise((resolve) => {
        const timer = setInterval(() => {
          zeros([1000]);
          ticks += 1;
          if (ticks === 20) resolve(clearInterval(timer));
        }, 1);
        setTimeout(resolve, 3);
      });
    });
    while (ticks < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    await collect();
    console.log(JSON.stringify(inUse()));`,
    { flags: ["--expose-gc"] },
  );
  expect(seen).toBe(0);
});
