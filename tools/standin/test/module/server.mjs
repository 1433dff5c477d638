// A compile server that compiles nothing: every text gets the module that is named on the command line.
// Texts may ask for failures: "#error …", "#exit", "#garbage".

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [module, log] = process.argv.slice(2);
const device = (index, writable = false, bytes = null) => ({ index, kind: "device", writable, bytes });
const constant = (index, bytes) => ({ index, kind: "constant", writable: false, bytes });

const kernels = [
  { name: "vector_add", buffers: [device(0), device(1), device(2, true), constant(3, 4)] },
  { name: "append", buffers: [device(0, true), constant(1, 4)] },
  { name: "describe", buffers: [device(0, true)], threadgroups: [2] },
  { name: "nothing" },
  { name: "faulty" },
  { name: "greedy", threadgroupBytes: 30000, threadgroups: [0] },
].map(({ threadgroupBytes = 0, buffers = [], threadgroups = [], ...rest }) => ({
  ...rest,
  threadgroupBytes,
  buffers,
  threadgroups,
}));

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (log !== undefined) appendFileSync(log, `${line}\n`);
  const error = /#error (.*)/.exec(request.text)?.[1];
  if (request.text.includes("#exit")) process.exit(7);
  const answer =
    error === undefined ? { ok: true, module, kernels } : { ok: false, error: `program_source:1:2: error: ${error}\n` };
  process.stdout.write(request.text.includes("#garbage") ? "not JSON\n" : `${JSON.stringify(answer)}\n`);
}
