import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hostTarget } from "@metile/compiler";
import { beforeAll, expect, it } from "vitest";
import { prepare, runCase } from "./kit.js";

const here = fileURLToPath(new URL("..", import.meta.url));

/** The facts, read anew: not by the generator, whose mistakes would show on both sides. */
const rows = readFileSync(new URL("../facts/selectors.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t") as [string, string, string, string, string, string, string, string, string])
  .filter(([owner, ownerKind]) => ownerKind !== "function" && !owner.startsWith("MPS"));

beforeAll(prepare, 600_000);

/** "v32@0:8@16Q24" as in the table: without the offsets. */
const withoutOffsets = (encoding: string) => encoding.replace(/\d+/g, "");

function encodings(system: string): Map<string, string> {
  const asked = rows.map(([owner, ownerKind, kind, selector]) => {
    return `${ownerKind === "protocol" ? "Standin" : ""}${owner} ${kind} ${selector}`;
  });
  const { output, status } = runCase("encodings", { system }, asked.join("\n"));
  expect(status).toBe(0);
  const lines = output.trimEnd().split("\n").slice(0, -1);
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]));
}

it("has every message of the table with its types", () => {
  const found = encodings("26.0");
  expect(found.size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(230);
  for (const [owner, ownerKind, kind, selector, , , encoding] of rows) {
    const name = `${ownerKind === "protocol" ? "Standin" : ""}${owner} ${kind} ${selector}`;
    expect(`${name} ${withoutOffsets(found.get(name) ?? "")}`).toBe(`${name} ${encoding}`);
  }
});

it("has only what the system had", () => {
  const found = encodings("13.0");
  const newer = rows.filter((row) => /^(13\.[1-9]|14|15|26)/.test(row[8]));
  expect(newer.length).toBeGreaterThan(20);
  for (const [owner, ownerKind, kind, selector] of newer) {
    expect(found.get(`${ownerKind === "protocol" ? "Standin" : ""}${owner} ${kind} ${selector}`)).toBe("-");
  }
  expect([...found.values()].filter((encoding) => encoding === "-").length).toBe(newer.length);
});

it("writes offsets as the real runtime does", () => {
  const found = encodings("15.1");
  expect(found.get("StandinMTLComputeCommandEncoder - setBytes:length:atIndex:")).toBe("v40@0:8r^v16Q24Q32");
  expect(found.get("StandinMTLDevice - supportsFamily:")).toBe("B24@0:8q16");
  expect(found.get("MTLCompileOptions - setFastMathEnabled:")).toBe("v20@0:8B16");
  expect(found.get("StandinMTLComputeCommandEncoder - dispatchThreadgroups:threadsPerThreadgroup:")).toBe(
    "v64@0:8{?=QQQ}16{?=QQQ}40",
  );
});

/** What a stand-in says that is built from a table with one change. */
function withTable(change: (table: string) => string): string {
  const root = mkdtempSync(join(tmpdir(), "metile-standin-"));
  try {
    for (const folder of ["native", "facts"]) cpSync(join(here, folder), join(root, folder), { recursive: true });
    const table = join(root, "facts", "selectors.tsv");
    const before = readFileSync(table, "utf8");
    writeFileSync(table, change(before));
    expect(readFileSync(table, "utf8")).not.toBe(before);
    const built = spawnSync(process.execPath, [join(here, "scripts", "build-native.mjs"), "--root", root]);
    expect(built.status, String(built.stderr)).toBe(0);
    const library = join(root, "dist", "native", String(hostTarget()), "libmetile_standin.so");
    const { signal, errors } = runCase("nil", { library });
    expect(signal).toBe("SIGABRT");
    return errors;
  } finally {
    rmSync(root, { recursive: true });
  }
}

it("does not start when an implementation differs from the table", { timeout: 300_000 }, () => {
  expect(withTable((table) => table.replace(/(\tsetBytes:length:atIndex:\t.*v@:r\^vQ)Q\t/, "$1I\t"))).toBe(
    "stand-in: -[MTLComputeCommandEncoder setBytes:length:atIndex:] is implemented as v@:r^vQQ; the table has v@:r^vQI\n",
  );
});

it("does not start when it implements what the table lacks", { timeout: 300_000 }, () => {
  expect(withTable((table) => table.replace(/^MTLCommandQueue\t.*\tcommandBuffer\t.*\n/m, ""))).toBe(
    "stand-in: -[MTLCommandQueue commandBuffer] is not in the table of messages\n",
  );
});
