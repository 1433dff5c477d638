// A promise that is pending keeps the process alive; nothing else does.
import { burn, device } from "./load.mjs";

const slot = device.allocate(4, false);
burn(slot, 100_000_000);
device.read(slot, 0, 4, 0).then((buffer) => console.log("read", buffer.byteLength));
device.synchronize().then(() => console.log("synchronized"));
