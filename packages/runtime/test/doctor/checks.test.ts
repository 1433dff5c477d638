import { afterEach, describe, expect, it, vi } from "vitest";
import { devices } from "../../src/doctor/checks/devices.js";
import { eventLoop } from "../../src/doctor/checks/event-loop.js";
import { faults } from "../../src/doctor/checks/faults.js";
import { memory } from "../../src/doctor/checks/memory.js";
import { metalAbi } from "../../src/doctor/checks/metal-abi.js";
import { runtimeKernels } from "../../src/doctor/checks/runtime-kernels.js";
import { system } from "../../src/doctor/checks/system.js";
import { worker } from "../../src/doctor/checks/worker.js";
import type { Context, DeviceCheck } from "../../src/doctor/types.js";
import { device } from "../../src/index.js";
import { intercept } from "../../src/testing/intercept.js";

const cpu = device("cpu");
const context = (names: readonly string[] = []): Context => ({
  options: { devices: names, quick: false },
  folder: "",
  families: [],
  devices: [],
});
const look = async (check: DeviceCheck) => check.run(cpu, context());

let restore = (): void => {};
afterEach(() => {
  restore();
  restore = () => {};
  vi.unstubAllEnvs();
});

/** Puts a broken method in place of one of the device's. */
function plant(interception: Parameters<typeof intercept>[1]): void {
  restore = intercept(cpu.native, interception);
}

describe.each([memory, runtimeKernels, faults, worker, eventLoop])("$name", (check) => {
  it("passes on the CPU", async () => {
    const outcome = await look(check);
    expect(outcome.problems).toEqual([]);
    expect(outcome.status).toBe("passed");
  });
});

it("checks leave nothing in the device's memory", async () => {
  for (const check of [memory, runtimeKernels, faults, eventLoop]) {
    const { live, storages } = cpu.memory;
    await look(check);
    expect(cpu.memory).toMatchObject({ live, storages });
  }
});

describe("memory finds", () => {
  const failed = async (step: RegExp): Promise<void> => {
    const { status, problems } = await look(memory);
    expect(status).toBe("failed");
    expect(problems.filter((problem) => step.test(problem))).not.toEqual([]);
  };

  it("a write one byte too far", async () => {
    plant({ write: (real) => (slot, offset, source) => real(slot, offset + (offset === 13 ? 1 : 0), source) });
    await failed(/^write and read 4095 bytes at 13: byte 13 is 0 in place of \d+; \d+ of 4113 are wrong$/);
  });

  it("a fill that is too long", async () => {
    plant({ fill: (real) => (slot, offset, bytes, pattern) => real(slot, offset, bytes + 1, pattern) });
    await failed(/^fill 16 bytes at 0/);
  });

  it("a copy that goes in pieces where source and target overlap", async () => {
    plant({
      copy: (real) => (from, fromOffset, to, toOffset, bytes) => {
        for (let at = 0; at < bytes; at += 4096)
          real(from, fromOffset + at, to, toOffset + at, Math.min(4096, bytes - at));
      },
    });
    await failed(/^copy 100,001 bytes within a storage from 0 to 7/);
  });

  it("a device that grants what no machine has", async () => {
    plant({ allocate: (real) => (bytes, zeroed) => real(Math.min(bytes, 64), zeroed) });
    await failed(/^a request for 2\^50 bytes: the device claims/);
  });
});

it("runtime kernels: finds a launch that does nothing", async () => {
  plant({ launch: () => () => {} });
  const { status, problems } = await look(runtimeKernels);
  expect(status).toBe("failed");
  expect(problems.join("\n")).toMatch(/strided copy from float32 to float32: ComparisonError/);
  expect(problems.join("\n")).toMatch(/column sums of 2 parts in float32: ComparisonError/);
});

it("faults: finds a fault that nobody hears of", async () => {
  plant({ injectFault: () => () => {} });
  const { problems } = await look(faults);
  expect(problems).toEqual(["an injected fault: a read resolved that depends on a launch which failed"]);
});

it("event loop: finds a wait that blocks the thread", async () => {
  plant({
    synchronize: () => () => {
      const end = performance.now() + 80;
      while (performance.now() < end);
      return Promise.resolve();
    },
  });
  expect((await look(eventLoop)).problems[0]).toMatch(/^no timer of 5 ms fired during \d+ ms of work$/);
});

it("Metal ABI: is Metal's alone", async () => {
  expect(await look(metalAbi)).toMatchObject({ status: "skipped" });
});

it("system: facts of the machine, with the addon", async () => {
  const { status, details } = await system.run(context());
  expect(status).toBe("passed");
  expect(details).toMatchObject({
    platform: process.platform,
    architecture: process.arch,
    node: process.version,
    addon: { artefactVersion: 2 },
  });
});

describe("devices", () => {
  const found = async (state: Context) => devices.run(state);

  it("opens every one that is there and tells why another is not", async () => {
    const state = context();
    const { status, details } = await found(state);
    expect(status).toBe("passed");
    expect(state.devices).toContain(cpu);
    expect(details.cpu).toMatchObject({ available: true, facts: { name: "cpu" } });
    expect(Object.keys(details)).toEqual(["metal", "cuda", "cpu"]);
  });

  it("opens those alone that were asked for", async () => {
    const state = context(["cpu"]);
    expect((await found(state)).status).toBe("passed");
    expect(state.devices).toEqual([cpu]);
  });

  it("knows a further NVIDIA GPU by its name", async () => {
    vi.stubEnv("METILE_DEVICE", "cuda:99");
    const { status, problems, details } = await found(context());
    expect(status).toBe("failed");
    expect(problems).toEqual([expect.stringMatching(/^cuda:99 was asked for: /)]);
    expect(details["cuda:99"]).toMatchObject({ available: false });
  });

  it("fails for a METILE_DEVICE that is none", async () => {
    vi.stubEnv("METILE_DEVICE", "abacus");
    const { status, problems } = await found(context());
    expect(status).toBe("failed");
    expect(problems).toEqual(['METILE_DEVICE: there is no device called "abacus"']);
  });
});
