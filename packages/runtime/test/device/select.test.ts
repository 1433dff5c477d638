import { expect, it } from "vitest";
import { evaluate, reportErrors } from "../support/process.js";

interface Report {
  readonly result?: unknown;
  readonly name?: string;
  readonly message?: string;
  readonly argument?: string;
}

const { arch } = process;

/** What a process with these variables makes of an expression over `device` and `tensor`. */
const seen = (expression: string, env: Record<string, string>): Promise<Report> =>
  evaluate(
    `import { device, tensor } from "@metile/runtime";
    ${reportErrors}
    console.log(JSON.stringify(report(() => ${expression})));`,
    { env },
  );

it("METILE_DEVICE names the device, and the device says so", async () => {
  expect((await seen("device().info.reason", { METILE_DEVICE: "cpu" })).result).toBe("METILE_DEVICE=cpu");
});

it.each(["", "auto"])("METILE_DEVICE=%j leaves the choice to the runtime, which says why", async (value) => {
  expect((await seen("device().info.reason", { METILE_DEVICE: value })).result).toMatch(
    /^the best device of this machine/,
  );
});

it("a name asked for in the call says so", async () => {
  expect((await seen('device("cpu").info.reason', {})).result).toBe("asked for by name");
});

it("METILE_DEVICE=nonsense throws with the names that exist", async () => {
  const { name, argument, message } = await seen("device()", { METILE_DEVICE: "nonsense" });
  expect(name).toBe("DeviceError");
  expect(argument).toBe("METILE_DEVICE");
  expect(message).toMatch(
    /^device: METILE_DEVICE: expected a device of this machine: (metal, )?(cuda, )?cpu, received "nonsense", which is no device's name. Devices are called metal, cuda, cpu; of several NVIDIA GPUs the second is cuda:1.$/,
  );
});

it("no name is no device's name, also once a device is open", async () => {
  const { name, message } = await seen('[device(), device("")][1].name', { METILE_DEVICE: "cpu" });
  expect(name).toBe("DeviceError");
  expect(message).toContain('received "", which is no device');
});

it("METILE_DEVICE does not stand in the way of a device asked for by name", async () => {
  expect((await seen('device("cpu").name', { METILE_DEVICE: "metal" })).result).toBe("cpu");
});

it("METILE_THREADS sets the number of threads", async () => {
  expect((await seen("device().threads", { METILE_THREADS: "3" })).result).toBe(3);
  expect(Number((await seen("device().threads", { METILE_THREADS: "" })).result)).toBeGreaterThanOrEqual(1);
});

it.each(["abc", "0", "-1", "2.5", "100000"])("METILE_THREADS=%s is refused in its own name", async (value) => {
  const { name, argument, message } = await seen("device()", { METILE_THREADS: value });
  expect(name).toBe("DeviceError");
  expect(argument).toBe("METILE_THREADS");
  expect(message).toContain(value);
});

it.runIf(arch === "x64")("METILE_CPU_LEVEL chooses an instruction set that the processor has", async () => {
  expect((await seen("device().info.level", { METILE_CPU_LEVEL: "v3" })).result).toBe("v3");
  const { name, argument, message } = await seen("device()", { METILE_CPU_LEVEL: "v9" });
  expect(name).toBe("DeviceError");
  expect(argument).toBe("METILE_CPU_LEVEL");
  expect(message).toMatch(/expected a level that this processor has: v3.*received v9/);
});

it.each(["metal:0", "cpu:0", "cpu:1", "cuda:", "CPU", ""])(
  "%j is no device's name, before the best device is open and after",
  async (name) => {
    const asked = `device(${JSON.stringify(name)})`;
    const first = await seen(asked, {});
    const second = await seen(`[device(), ${asked}]`, {});
    for (const report of [first, second]) {
      expect(report.name).toBe("DeviceError");
      expect(report.message).toContain("which is no device's name");
    }
  },
);

it.each(["null", "3", "{}", '["cpu"]'])("device(%s) is refused as no name at all", async (value) => {
  const { name, argument } = await seen(`device(${value})`, {});
  expect([name, argument]).toEqual(["ArgumentError", "name"]);
});

it("why a device is not there is a sentence of its own", async () => {
  const { message } = await seen('device("cuda:99")', {});
  expect(message).toMatch(/received "cuda:99"\. [A-Z]/);
});
