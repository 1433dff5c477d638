// What the small addon tells; with an argument, it then calls a function that the loader does not have.
import { createRequire } from "node:module";

const addon = createRequire(import.meta.url)(process.env.METILE_ADDON);
console.log(JSON.stringify(addon.tell()));
if (process.argv.length > 2) addon.callUnknown();
