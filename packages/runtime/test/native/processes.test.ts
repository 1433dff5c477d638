import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { compilePreload, programArguments } from "./harness.js";

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  errors: string;
  /** Milliseconds from `working` on the output to the end. */
  afterWorking: number;
}

/** Runs a program to its end; with `interrupt`, sends SIGINT 100 ms after it says that it is working. */
function run(name: string, parameters: string[] = [], interrupt = false, variables = {}): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, programArguments(name, ...parameters), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...variables },
    });
    let [output, errors, working] = ["", "", 0];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (working !== 0 || !output.includes("working")) return;
      working = performance.now();
      if (interrupt) setTimeout(() => child.kill("SIGINT"), 100);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, output, errors, afterWorking: performance.now() - working }),
    );
  });
}

const clean = { signal: null, errors: "" };

describe("workers", () => {
  test("terminated in mid-flight, six at a time, leave nothing behind and harm nobody", {
    timeout: 120_000,
  }, async () => {
    const endings = await Promise.all([run("terminate.mjs", ["3"]), run("terminate.mjs", ["3"])]);
    for (const ending of endings) {
      expect(ending).toMatchObject({ ...clean, code: 0 });
      // What is left belongs to the main thread, which forgets 64 bytes every fifth round on purpose.
      expect(JSON.parse(ending.output)).toEqual({ live: 6 * 64, storages: 6 });
    }
  });

  test("may be all that loads the addon, and end before its work does", { timeout: 60_000 }, async () => {
    const ending = await run("only-workers.mjs");
    expect(ending).toMatchObject({ ...clean, code: 0, output: "alive\n" });
  });

  test("eight at once get their own results, and their storages end with them", { timeout: 60_000 }, async () => {
    const ending = await run("many-workers.mjs");
    expect(ending).toMatchObject({ ...clean, code: 0 });
    expect(JSON.parse(ending.output)).toEqual({ wrong: new Array(8).fill(0), live: 0, storages: 0 });
  });

  test.skipIf(process.platform !== "linux")(
    "find the stream's thread awake, whoever is starting it",
    {
      timeout: 60_000,
    },
    async () => {
      const ending = await run("start.mjs", [], false, { LD_PRELOAD: compilePreload("slow-start.cpp") });
      expect(ending).toMatchObject({ ...clean, code: 0, output: "[262144,262144]\n" });
    },
  );

  test("cannot use each other's storages", async () => {
    const ending = await run("foreign.mjs");
    expect(JSON.parse(ending.output)).toEqual(
      new Array(3).fill("RangeError: storage N belongs to another environment"),
    );
  });
});

describe("the end of the process", () => {
  test.each(["0", "5", "40"])("process.exit after %s ms of work in flight keeps its code", async (milliseconds) => {
    expect(await run("exit.mjs", [milliseconds])).toMatchObject({ ...clean, code: 3 });
  });

  test("waits for promises that are pending", async () => {
    const ending = await run("pending.mjs");
    expect(ending).toMatchObject({ ...clean, code: 0, output: "read 4\nsynchronized\n" });
  });

  test.each(["awaiting", "blocked"])("SIGINT ends it within a second while %s", async (way) => {
    const ending = await run("interrupt.mjs", [way], true);
    expect(ending).toMatchObject({ code: null, signal: "SIGINT" });
    expect(ending.afterWorking).toBeLessThan(1100);
  });

  test("a user's handler of SIGINT runs", async () => {
    const ending = await run("interrupt.mjs", ["handler"], true);
    expect(ending).toMatchObject({ ...clean, code: 5, output: "working\nhandler\n" });
    expect(ending.afterWorking).toBeLessThan(1100);
  });
});

test("a timer of 100 ms fires at least five times a second during a long run of awaited work", async () => {
  const ending = await run("loop.mjs");
  const { ticks, milliseconds } = JSON.parse(ending.output) as { ticks: number; milliseconds: number };
  expect(ticks / (milliseconds / 1000)).toBeGreaterThanOrEqual(5);
});
