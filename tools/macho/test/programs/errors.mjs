// Bad input that native code refuses with exceptions of C++, each followed by work that succeeds.
import { createRequire } from "node:module";
import { rmsNorm } from "@metile/norms";
import { tensor } from "@metile/runtime";

const binding = createRequire(import.meta.url)(process.env.METILE_ADDON);
const native = binding.openCpu();
const slot = native.allocate(64, true);

const attempts = {
  "a storage that does not exist": () => native.release(12345),
  "a negative size": () => native.allocate(-1, false),
  "more memory than a limit": () => {
    native.memoryLimit = 1 << 20;
    try {
      native.allocate(2 ** 40, false);
    } finally {
      native.memoryLimit = 2 ** 40;
    }
  },
  "a library that does not exist": () => native.loadLibrary("/nowhere/library.so"),
  "a library that is none": () => native.loadLibrary(process.execPath),
  "a kernel of no library": () => native.kernel(99, "kernel"),
  "words that end too early": () => native.launch(new Uint32Array(3), 1),
  "a write past the end": () => native.write(slot, 60, new Uint8Array(64)),
  "a text for a number": () => native.allocate("many", false),
  "a device of NVIDIA": () => binding.openCuda(0),
};

const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    results[name] = "nothing was thrown";
  } catch (error) {
    results[name] = { kind: error.constructor.name, code: error.code ?? null, message: error.message };
  }
  native.write(slot, 0, new Float32Array([1, 2, 3, 4]));
  const values = new Float32Array(await native.read(slot, 0, 16, 0));
  if (values.join() !== "1,2,3,4") results[name] = `afterwards a write gives ${values}`;
}
try {
  rmsNorm(tensor([1, 2]), tensor([1, 2, 3]));
} catch (error) {
  results["a weight of another width"] = {
    kind: error.constructor.name,
    code: error.code ?? null,
    message: error.message,
  };
}
console.log(JSON.stringify(results));
