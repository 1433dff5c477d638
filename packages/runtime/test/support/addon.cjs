/**
 * For METILE_ADDON: the addon of this machine with a Metal made of its CPU, so that choosing a device can be tested
 * anywhere. FAKE_METAL says what there is: "gpu", "standin", "broken", or a reason why there is none.
 */
const { join } = require("node:path");
const real = require(join(__dirname, "../../npm", `${process.platform}-${process.arch}`, "metile_runtime.node"));

const facts = {
  available: true,
  name: "Apple M3 Max",
  architecture: "applegpu_g15s",
  systemVersion: "15.1",
  languageVersion: "3.2",
  bfloat: true,
  standin: false,
  maxBufferBytes: 2 ** 36,
  recommendedBytes: 2 ** 35,
  maxThreads: 1024,
  threadgroupBytes: 32_768,
  unifiedMemory: true,
};
const kinds = { gpu: facts, standin: { ...facts, standin: true }, broken: facts };

module.exports = {
  artefactVersion: real.artefactVersion,
  cpu: () => real.cpu(),
  openCpu: () => real.openCpu(),
  cuda: () => ({ available: false, reason: "there is no NVIDIA driver: looked for libcuda.so.1" }),
  metal: () => kinds[process.env.FAKE_METAL] ?? { available: false, reason: process.env.FAKE_METAL },
  openMetal() {
    if (process.env.FAKE_METAL === "broken") throw new Error("the GPU was lost.");
    return real.openCpu();
  },
};
