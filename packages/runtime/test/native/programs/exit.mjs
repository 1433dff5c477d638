// process.exit with work and reads in flight.
import { burn, device, train } from "./load.mjs";

void train();
const slot = device.allocate(4, false);
for (let index = 0; index < 20; index += 1) burn(slot, 3_000_000);
void device.read(slot, 0, 4, 0);
setTimeout(() => process.exit(3), Number(process.argv[4]));
