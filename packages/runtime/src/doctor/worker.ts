/** The worker thread of the doctor: the same device, opened by name, computes something. */
import { parentPort, workerData } from "node:worker_threads";
import type { DeviceName } from "../device/device.js";
import { device } from "../device/select.js";

const { name } = workerData as { name: DeviceName };
const opened = device(name);
const values = await opened.tensor([1.5, -2.5, 3.25]).cast("int32").data();
parentPort?.postMessage({ device: opened.name, hardware: opened.info.hardware, values: [...values] });
