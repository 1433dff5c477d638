import { describe, expect, it } from "vitest";
import { UsageError } from "../arguments.js";
import {
  type Candidate,
  candidateOf,
  candidatesFor,
  describeCandidate,
  macrosOf,
  spaceFor,
  variantOf,
} from "./candidates.js";
import { choose, finalistsOf } from "./choice.js";
import { sweepsOf } from "./compile.js";
import { summaryOf, type TuneRecord } from "./record.js";
import { parseTuneSettings, tuneUsage } from "./settings.js";

const space = spaceFor(false, 8192, false);
const [first, second, third] = candidatesFor(4096, 8, space) as [Candidate, Candidate, Candidate];

describe("candidatesFor", () => {
  it("covers a row with every tile of 64 to 1024 threads", () => {
    const tiles = new Set(candidatesFor(4096, 8, space).map(({ threads, packets }) => `${threads}×${packets}`));
    expect([...tiles]).toEqual(["512×1", "256×2", "128×4", "64×8"]);
    expect(candidatesFor(16384, 8, space).some(({ threads }) => threads > 1024)).toBe(false);
  });

  it("says where a tile is wider than the row", () => {
    for (const { threads, packets, pack, exact, wide } of candidatesFor(5000, 8, space)) {
      expect(threads * packets * pack).toBeGreaterThanOrEqual(5000);
      expect({ exact, wide }).toEqual({ exact: false, wide: false });
    }
  });

  it("bounds registers for kernels with sums alone, and not with a thousand threads", () => {
    expect(candidatesFor(4096, 8, space).every(({ blocks }) => blocks === 0)).toBe(true);
    const sums = candidatesFor(16384, 8, spaceFor(true, 8192, false));
    expect(sums.some(({ blocks, threads }) => blocks === 2 && threads === 512)).toBe(true);
    expect(sums.some(({ blocks, threads }) => blocks > 0 && threads > 512)).toBe(false);
  });

  it("has no more groups than rows", () => {
    for (const quick of [true, false])
      for (const sums of [true, false]) expect(Math.max(...spaceFor(sums, 100, quick).groups)).toBe(100);
  });

  it("gives every candidate once", () => {
    const all = candidatesFor(8192, 8, spaceFor(true, 8192, false)).map((one) => JSON.stringify(one));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("candidateOf", () => {
  it("is what the macros of a launch say, and gives them back", () => {
    const { groups, threads } = first;
    expect(candidateOf({ groups, threads, work: 1, macros: macrosOf(first) })).toEqual(first);
    const bound = { ...first, blocks: 2, keepWeight: false };
    expect(candidateOf({ groups, threads, work: 1, macros: macrosOf(bound) })).toEqual(bound);
  });

  it("shares a variant among numbers of groups alone", () => {
    expect(variantOf({ ...first, groups: 3 })).toBe(variantOf(first));
    expect(variantOf({ ...first, threads: 64 })).not.toBe(variantOf(first));
    expect(variantOf({ ...first, blocks: 2 })).not.toBe(variantOf(first));
  });

  it("is described in a line", () => {
    expect(describeCandidate({ ...first, blocks: 2, keepWeight: false })).toBe(
      "512 threads × 1 packets, 1024 groups, keeps rows, prefetches, 2 blocks",
    );
  });
});

describe("choose", () => {
  const timed = (candidate: Candidate, ...samples: number[]) => ({ candidate, samples });

  it("takes the least median and says what the table loses", () => {
    const choice = choose([timed(first, 2, 2.2, 2.1), timed(second, 9, 1, 2), timed(third, 3, 3, 3)], first);
    expect(choice).toMatchObject({ best: second, bestMilliseconds: 2, table: first, tableMilliseconds: 2.1 });
    expect(choice.lossPercent).toBeCloseTo(5, 6);
    expect(choice.certain).toBe(false);
  });

  it("is certain where the quartiles do not overlap", () => {
    expect(choose([timed(first, 2, 2.1, 2.2), timed(second, 1, 1.1, 1.2)], first).certain).toBe(true);
  });

  it("loses nothing where the table is the best", () => {
    const choice = choose([timed(first, 1), timed(second, 2)], first);
    expect(choice).toMatchObject({ best: first, lossPercent: 0, certain: false });
  });

  it("passes over what has no samples, and refuses without the table's", () => {
    expect(choose([timed(first, 2), timed(second)], first).best).toEqual(first);
    expect(() => choose([timed(second, 1)], first)).toThrowError("expected samples of what the table picks");
  });
});

describe("finalistsOf", () => {
  it("are the fastest, with the table's once", () => {
    const timed = candidatesFor(4096, 8, space).map((candidate, index) => ({ candidate, samples: [100 - index] }));
    const fastest = finalistsOf(timed, first);
    expect(fastest).toHaveLength(7);
    expect(fastest[0]).toEqual(timed.at(-1)?.candidate);
    expect(fastest.at(-1)).toEqual(first);
    expect(finalistsOf(timed, timed.at(-2)?.candidate as Candidate)).toHaveLength(6);
  });
});

describe("parseTuneSettings", () => {
  it("sweeps all kernels at the stated sizes by default", () => {
    const settings = parseTuneSettings([], "/tune.json");
    expect(settings).toMatchObject({ rows: 8192, widths: [4096, 8192, 16384], dtype: "bfloat16", repeats: 9 });
    expect(settings?.kernels).toHaveLength(6);
    expect(settings && sweepsOf(settings)).toHaveLength(18);
  });

  it("takes some kernels, widths and processes", () => {
    const words = ["--kernels", "rmsNormBackward", "--widths", "64,128", "--processes", "3", "--quick"];
    expect(parseTuneSettings(words, "t")).toMatchObject({ widths: [64, 128], processes: 3, quick: true });
  });

  it("shows its own usage for what it does not understand, and on --help", () => {
    expect(parseTuneSettings(["--help"], "t")).toBeUndefined();
    for (const words of [["--kernels", "rope"], ["--dtype", "float16,float32"], ["--fast"]]) {
      const refuse = (): unknown => parseTuneSettings(words, "t");
      expect(refuse).toThrowError(UsageError);
      expect(refuse).toThrowError(expect.objectContaining({ help: tuneUsage }));
    }
  });
});

it("writes what the table loses for a person to read", () => {
  const shared = { floorMilliseconds: 1, tried: 2, finalists: [], firstPass: [], failures: [], columns: 4096 };
  const record = {
    date: "2026-11-30T00:00:00Z",
    stopped: false,
    device: { name: "cuda", hardware: "NVIDIA H200", level: "sm_90", threads: 1, driver: "580" },
    settings: { rows: 8192, dtype: "bfloat16" },
    results: [
      {
        ...shared,
        kernel: "rmsNormForward",
        ...choose(
          [
            { candidate: first, samples: [2, 2.01] },
            { candidate: second, samples: [1.6, 1.61] },
          ],
          first,
        ),
      },
      { ...shared, kernel: "layerNormForward", ...choose([{ candidate: first, samples: [1.25] }], first) },
    ],
  } as unknown as TuneRecord;
  const text = summaryOf(record);
  expect(text).toContain("The table loses 24.9 % at most.");
  expect(text).toContain("| rmsNormForward | 4096 | 1.00 | 2.00 (50 %) |");
  expect(text).toMatch(/layerNormForward .* 1\.25 \(80 %\) \| the table's \| 0\.0 %/);
});
