import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { readRecord } from "./report/record.js";

const command = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "metile-bench-stop-"));
const out = join(folder, "results.json");
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("keeps what was measured when Ctrl-C ends a run in the middle", async () => {
  const sizes = ["--operations", "rmsNorm", "--shapes", "4x8,4096x4096", "--passes", "forward", "--dtype", "float32"];
  const words = [command, "--device", "cpu", "--peers", "none", ...sizes, "--repeats", "200", "--out", out];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
    // The first case is done; the second takes seconds.
    if (text.includes("1/2 rmsNorm")) child.kill("SIGINT");
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(code, told).toBe(130);
  const record = readRecord(out);
  expect(record.stopped).toBe(true);
  expect(record.cases[0]?.samples.metile).toHaveLength(200);
  expect(record.cases[1]?.samples.metile?.length ?? 0).toBeLessThan(200);
}, 60_000);
