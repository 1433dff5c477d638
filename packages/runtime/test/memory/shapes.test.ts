import { expect, it } from "vitest";
import { evaluate } from "../support/process.js";

const mebibyte = 2 ** 20;

interface Seen {
  readonly resident: number[];
  readonly live: number[];
  readonly storages: number[];
  readonly kernels: number[];
}

it("R30: 1024 shapes, and again: counters return, less than 32 MiB more are resident, kernels do not follow the shapes", async () => {
  const { resident, live, storages, kernels } = await evaluate<Seen>(
    `import { device, tensor } from "@metile/runtime";
    const pass = async () => {
      for (let rows = 1; rows <= 1024; rows += 1) {
        const source = tensor(new Float32Array(rows * 64).fill(rows), [rows, 64]);
        const half = source.cast("bfloat16");
        const turned = half.transpose();
        const copy = turned.clone();
        if (rows % 64 === 0 && (await copy.data())[rows] !== rows) throw new Error("wrong value");
        for (const each of [source, half, turned, copy]) each.dispose();
      }
      // What JavaScript has not collected yet is no growth.
      await device().synchronize();
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
      gc();
    };
    const seen = { resident: [], live: [], storages: [], kernels: [] };
    for (let round = 0; round < 2; round += 1) {
      await pass();
      seen.resident.push(process.memoryUsage().rss);
      seen.live.push(device().memory.live);
      seen.storages.push(device().memory.storages);
      seen.kernels.push(device().counters.kernels);
    }
    console.log(JSON.stringify(seen));`,
    { flags: ["--expose-gc"] },
  );
  expect(live).toEqual([0, 0]);
  expect(storages).toEqual([0, 0]);
  expect((resident[1] as number) - (resident[0] as number)).toBeLessThan(32 * mebibyte);
  expect(kernels[1]).toBe(kernels[0]);
  expect(kernels[1]).toBeLessThan(5);
});
