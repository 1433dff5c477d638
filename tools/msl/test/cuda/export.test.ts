import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../../src/command.js";
import { LAUNCH_MACROS } from "../../src/lint/macros.js";
import { RUNTIME, temporaryFolder } from "../kit.js";

describe("metile-msl cuda", () => {
  it("writes texts with the prelude, and what a machine with a GPU needs to know of them", async () => {
    const folder = temporaryFolder({
      "copy.metal":
        "#include <metal_stdlib>\nkernel void copy(device const STORAGE* x [[buffer(0)]], device STORAGE* y [[buffer(1)]]) { y[0] = x[0]; }\n",
    });
    expect(await main(["cuda", join(folder, "copy.metal"), "--runtime", RUNTIME, "--out", join(folder, "out")])).toBe(
      0,
    );
    const [text] = JSON.parse(readFileSync(join(folder, "out", "texts.json"), "utf8"));
    expect(text).toMatchObject({ file: "copy.cu", kernels: [{ name: "copy", threadgroup: [] }] });
    expect(text.variants.length).toBe(3 * LAUNCH_MACROS.length);
    expect(text.variants[0]).toMatchObject({
      STORAGE: "float",
      PARAMETER: "float",
      ROW_THREADS: "32",
      METILE_THREADS: "32",
    });
    const cuda = readFileSync(join(folder, "out", "copy.cu"), "utf8");
    expect(cuda).toContain('#line 1 "metal/language.h"');
    expect(cuda).toContain('extern "C" __global__ void METILE_BOUNDS copy(');
    expect(cuda).not.toContain("#include");
  });
  it("wants a folder", async () => {
    expect(await main(["cuda", "copy.metal"])).toBe(2);
  });
});
