import { device, version } from "@metile/runtime";
import { describe, expect, it } from "vitest";
import { passes } from "../measure/case.js";
import { measureCase } from "../measure/runner.js";
import { bytesOfCase, operationNamed, operations } from "../operations/index.js";
import { CopyPeer } from "./copy.js";
import { MetilePeer } from "./metile.js";

const size = { rows: 5, columns: 33, gradientType: "input", rounding: "once" } as const;

describe("MetilePeer and CopyPeer", () => {
  const peers = [new MetilePeer(device(), operationNamed, version), new CopyPeer(device(), bytesOfCase)];

  for (const operation of operations.keys())
    for (const pass of passes)
      for (const dtype of ["float32", "float16", "bfloat16"] as const)
        it(`measures ${operation} ${pass} ${dtype} and leaves no memory behind`, async () => {
          const before = device().memory.live;
          for (const peer of peers) await peer.start(device().threads);
          const { samples, failures } = await measureCase({ operation, pass, dtype, ...size }, peers, {
            repeats: 3,
            warmups: 0,
            rest: 0,
          });
          expect(failures).toEqual({});
          expect(samples.metile).toHaveLength(3);
          for (const milliseconds of [...(samples.metile ?? []), ...(samples.copy ?? [])])
            expect(milliseconds).toBeGreaterThan(0);
          expect(device().memory.live).toBe(before);
        });

  it("counts what a pass has to move", () => {
    const shape = { ...size, dtype: "bfloat16" } as const;
    const { rows, columns } = shape;
    const forward = operationNamed("rmsNorm").bytes("forward", shape);
    expect(forward).toBe(2 * rows * columns * 2 + columns * 2 + rows * 4);
    const wide = operationNamed("rmsNorm").bytes("backward", { ...shape, gradientType: "float32" });
    const narrow = operationNamed("rmsNorm").bytes("backward", shape);
    expect(wide - narrow).toBe(rows * columns * 2 + columns * 2);
  });

  it("counts both passes where both are measured", () => {
    const task = { operation: "layerNorm", dtype: "bfloat16", ...size } as const;
    const sum = bytesOfCase({ ...task, pass: "forward" }) + bytesOfCase({ ...task, pass: "backward" });
    expect(bytesOfCase({ ...task, pass: "forward+backward" })).toBe(sum);
  });

  it("refuses an operation that nobody described", () => {
    expect(() => operationNamed("softmax")).toThrowError('received "softmax"');
  });
});
