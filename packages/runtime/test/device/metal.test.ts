import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { evaluate, reportErrors } from "../support/process.js";

interface Report {
  readonly result?: unknown;
  readonly name?: string;
  readonly message?: string;
  readonly argument?: string;
}

const addon = fileURLToPath(new URL("../support/addon.cjs", import.meta.url));

/** What a process makes of an expression where Metal is what `metal` says. */
const seen = (metal: string, expression: string, env: Record<string, string> = {}): Promise<Report> =>
  evaluate(
    `import { availableDevices, device, tensor } from "@metile/runtime";
    ${reportErrors}
    console.log(JSON.stringify(report(() => ${expression})));`,
    { env: { METILE_ADDON: addon, FAKE_METAL: metal, ...env } },
  );

const absent = "Metal is part of macOS; this is linux-x64.";
const both = "[device().name, device().info.reason, availableDevices()]";

describe("the best device", () => {
  it("is metal where it is there, and says of itself what it is", async () => {
    expect((await seen("gpu", "[device().info, device().isGpu, availableDevices()]")).result).toEqual([
      {
        name: "metal",
        hardware: "Apple M3 Max",
        level: "applegpu_g15s, Metal 3.2",
        reason: "the best device of this machine",
        bfloat: true,
        standin: false,
      },
      true,
      ["metal", "cpu"],
    ]);
  });

  it("is the CPU where it is not, with the reason", async () => {
    expect((await seen(absent, both)).result).toEqual([
      "cpu",
      "the best device of this machine (no metal: Metal is part of macOS; this is linux-x64; no cuda: there is no NVIDIA driver)",
      ["cpu"],
    ]);
  });

  it("is never a stand-in, which is used when asked for", async () => {
    const [name, reason, available] = (await seen("standin", both)).result as [string, string, string[]];
    expect([name, available]).toEqual(["cpu", ["cpu"]]);
    expect(reason).toContain("METILE_METAL_STANDIN");
    expect((await seen("standin", 'device("metal").info.standin')).result).toBe(true);
    expect((await seen("standin", both, { METILE_DEVICE: "metal" })).result).toEqual([
      "metal",
      "METILE_DEVICE=metal",
      ["metal", "cpu"],
    ]);
  });

  it("METILE_DEVICE decides against it", async () => {
    expect((await seen("gpu", both, { METILE_DEVICE: "cpu" })).result).toEqual([
      "cpu",
      "METILE_DEVICE=cpu",
      ["metal", "cpu"],
    ]);
  });
});

describe("metal where it is not", () => {
  it.each([
    ["name", 'device("metal")', {}],
    ["METILE_DEVICE", "tensor([1])", { METILE_DEVICE: "metal" }],
  ] as const)("throws by %s with the reason; nothing moves to the CPU in silence", async (argument, call, env) => {
    const report = await seen(absent, call, env);
    expect(report.name).toBe("DeviceError");
    expect(report.argument).toBe(argument);
    expect(report.message?.replace(/ \(\w+, \w+.*\)/, "")).toBe(
      `device: ${argument}: expected a device of this machine: cpu, received "metal". Metal is part of macOS; this is linux-x64. Nothing was moved to another device for you.`,
    );
  });

  it("METILE_DEVICE=metal does not stand in the way of the CPU asked for by name", async () => {
    expect((await seen(absent, 'device("cpu").name', { METILE_DEVICE: "metal" })).result).toBe("cpu");
  });
});

it("a GPU that does not open throws with Metal's words", async () => {
  const { name, message } = await seen("broken", "device()");
  expect(name).toBe("DeviceError");
  expect(message).toContain("expected a GPU that Metal opens, received the GPU was lost. Nothing was moved");
});

it("to() carries the same bits from device to device, of any view, and back", async () => {
  const values = "[[1.5, -2, NaN], [0, 3e38, 1e-40]]";
  const { result } = await seen(
    "gpu",
    `(() => {
      const made = tensor(${values}, null, "float32", "cpu");
      const moved = made.transpose().to("metal");
      const back = moved.to("cpu");
      const half = tensor([1, 2], null, "bfloat16", "cpu").to(device("metal"));
      return [moved.device.name, back.device.name, moved.shape, moved.isContiguous, moved.to("metal").storage === moved.storage,
        [...back.dataSync()].map(String), half.dtype, tensor([], [0], "int32", "cpu").to("metal").device.name];
    })()`,
  );
  const small = String(Math.fround(1e-40));
  expect(result).toEqual([
    "metal",
    "cpu",
    [3, 2],
    true,
    true,
    ["1.5", "0", "-2", String(Math.fround(3e38)), "NaN", small],
    "bfloat16",
    "metal",
  ]);
});
