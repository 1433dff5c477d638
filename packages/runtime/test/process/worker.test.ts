import { describe, expect, it } from "vitest";
import { evaluate, runModule } from "../support/process.js";

/** The text of a worker; it runs in the process that a test starts, and finds the package as that does. */
const workers = `
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { device, tensor } from "@metile/runtime";
const worker = (text) => new Worker(
  "const { parentPort, workerData } = require('node:worker_threads'); import('@metile/runtime').then(async ({ device, scope, tensor, zeros }) => {" + text + "});",
  { eval: true, execArgv: [] }, // a script, not a module as this one
);
`;

describe("worker threads", () => {
  it("have tensors of their own, which are released when the worker ends", async () => {
    const seen = await evaluate<{ sums: number[]; storages: number[]; live: number[] }>(`${workers}
      const mine = tensor([1, 2, 3]);
      const storages = [device().memory.storages];
      const live = [device().memory.live];
      const all = Array.from({ length: 4 }, () => worker(\`
        let sum = 0;
        const kept = [];
        for (let index = 0; index < 200; index += 1) {
          const made = tensor([index, 1]);
          kept.push(made);
          sum += (await made.cast("int32").data())[0];
        }
        parentPort.postMessage(sum);
      \`));
      const sums = await Promise.all(all.map(async (each) => {
        const ended = once(each, "exit"); // may come in one turn with the message
        const [sum] = await once(each, "message");
        await ended;
        return sum;
      }));
      storages.push(device().memory.storages);
      live.push(device().memory.live);
      if (Array.from(mine.dataSync()).join() !== "1,2,3") throw new Error("the main thread's tensor changed");
      console.log(JSON.stringify({ sums, storages, live }));`);
    expect(seen.sums).toEqual([19900, 19900, 19900, 19900]);
    expect(seen.storages[1]).toBe(seen.storages[0]);
    expect(seen.live[1]).toBe(seen.live[0]);
  });

  it("may be terminated in mid-flight, many times: the process goes on and ends well", async () => {
    const seen = await evaluate<{ values: number[]; live: number[] }>(`${workers}
      device();
      const live = [device().memory.live];
      for (let round = 0; round < 8; round += 1) {
        const all = [0, 1].map(() => worker(\`
          const source = zeros([300000]);
          parentPort.postMessage("running");
          for (;;) {
            const copies = [0, 1, 2, 3].map(() => source.cast("bfloat16"));
            const reads = copies.map((each) => each.data());
            if (Math.random() < 0.5) copies[0].dataSync();
            for (const each of copies) each.dispose();
            await Promise.all(reads);
          }
        \`));
        await Promise.all(all.map((each) => once(each, "message")));
        await new Promise((resolve) => setTimeout(resolve, 2 * round));
        await Promise.all(all.map((each) => each.terminate()));
      }
      await device().synchronize();
      live.push(device().memory.live);
      const values = Array.from(await tensor([4, 5]).cast("int32").data());
      console.log(JSON.stringify({ values, live }));`);
    expect(seen.values).toEqual([4, 5]);
    expect(seen.live[1]).toBe(seen.live[0]);
  });

  it("use the process's device with a number of threads of their own", async () => {
    const seen = await evaluate<{ own: number; main: number }>(`${workers}
      device().threads = 2;
      const one = worker("device().threads = 1; parentPort.postMessage(device().threads);");
      const [own] = await once(one, "message");
      console.log(JSON.stringify({ own, main: device().threads }));`);
    expect(seen).toEqual({ own: 1, main: 2 });
  });

  it("do not see each other's failures", async () => {
    const seen = await evaluate<string[]>(`${workers}
      const one = worker(\`
        device().native.injectFault("in the worker");
        const failed = tensor([1]).cast("int32");
        parentPort.postMessage(await failed.data().then(() => "resolved", (error) => error.name));
      \`);
      const [theirs] = await once(one, "message");
      const mine = await tensor([1]).cast("int32").data().then(() => "resolved", (error) => error.name);
      console.log(JSON.stringify([theirs, mine]));`);
    expect(seen).toEqual(["FaultError", "resolved"]);
  });
});

describe("the process ends", () => {
  const busy = `
    import { tensor, zeros } from "@metile/runtime";
    const source = zeros([1000000]);
    const reads = Array.from({ length: 30 }, () => source.cast("bfloat16").data());
  `;

  it("by itself when nothing is left to do, pending reads first", async () => {
    const { code, stdout, stderr } = await runModule(
      `${busy} reads.at(-1).then((values) => console.log(values.length));`,
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "1000000\n", stderr: "" });
  });

  it("with process.exit in mid-flight, with its code", async () => {
    const { code, stderr } = await runModule(`${busy} process.exit(7);`);
    expect({ code, stderr }).toEqual({ code: 7, stderr: "" });
  });

  it("with an error of the user's in mid-flight, which is what is reported", async () => {
    const { code, stderr } = await runModule(`${busy} throw new Error("mine");`);
    expect(code).toBe(1);
    expect(stderr).toContain("Error: mine");
  });

  it("with process.exit while workers are busy", async () => {
    const { code, stderr } = await runModule(`${workers}
      const all = [0, 1, 2].map(() => worker("parentPort.postMessage(0); const source = zeros([300000]); for (;;) source.cast('int32').dispose();"));
      await Promise.all(all.map((each) => once(each, "message")));
      process.exit(5);`);
    expect({ code, stderr }).toEqual({ code: 5, stderr: "" });
  });
});
