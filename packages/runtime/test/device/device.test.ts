import { describe, expect, it } from "vitest";
import { availableDevices, DeviceError, device, ShapeError, tensor, zeros } from "../../src/index.js";
import { thrown } from "../support/thrown.js";

describe("device", () => {
  it("is one object for a name, and the default is among those of this machine", () => {
    expect(device("cpu")).toBe(device("cpu"));
    expect(device("auto")).toBe(device());
    expect(availableDevices()).toContain(device().name);
    expect(tensor([1]).device).toBe(device());
    expect(zeros([1], "int32", device("cpu")).device).toBe(device("cpu"));
  });

  it("says what it runs on", () => {
    const { info } = device("cpu");
    expect(info.name).toBe("cpu");
    expect(info.hardware).not.toBe("");
    expect(["v3", "v4", "arm64"]).toContain(info.level);
    expect(info.reason).not.toBe("");
    expect(String(device("cpu"))).toBe("cpu");
  });

  it("takes a number of threads from 1 to 1024, and nothing else", () => {
    const { threads } = device();
    for (const count of [1, 3, threads]) {
      device().threads = count;
      expect(device().threads).toBe(count);
    }
    for (const wrong of [0, -1, 1.5, 1025, Number.NaN, "2" as never]) {
      const error = thrown(() => {
        device().threads = wrong;
      });
      expect(error).toBeInstanceOf(ShapeError);
      expect(device().threads).toBe(threads);
    }
    expect(
      thrown(() => {
        device().threads = 0;
      }).message,
    ).toBe(`device("${device().name}"): threads: expected a whole number from 1 to 1024, received 0.`);
  });

  it("synchronize() waits for everything queued so far", async () => {
    using source = tensor(new Float32Array(500_000));
    const copies = Array.from({ length: 10 }, () => source.cast("int32"));
    await device().synchronize();
    const { launches, completed } = device().counters;
    expect(completed).toBe(launches);
    for (const each of copies) each.dispose();
    const again = source.cast("int32");
    device().synchronizeSync();
    expect(device().counters.completed).toBe(launches + 1);
    again.dispose();
  });

  it("that is not there is refused by name, with those that are", () => {
    const error = thrown(() => device("tpu" as never));
    expect(error).toBeInstanceOf(DeviceError);
    expect(error.message).toBe(
      `device: name: expected a device of this machine: ${availableDevices().join(", ")}, received "tpu", which is no device's name. Devices are called metal, cuda, cpu; of several NVIDIA GPUs the second is cuda:1.`,
    );
    expect(thrown(() => tensor([1]).to("tpu" as never))).toBeInstanceOf(DeviceError);
  });
});
