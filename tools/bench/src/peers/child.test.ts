import { afterEach, describe, expect, it } from "vitest";
import { PeerUnavailable } from "../measure/peer.js";
import { LineChild } from "./child.js";
import { TorchPeer } from "./torch.js";

const children: LineChild[] = [];

/** A child that runs JavaScript with `answer(value)` and `lines`, an async iterator over its requests. */
function child(script: string): LineChild {
  const head = `const lines = require("node:readline").createInterface({ input: process.stdin });
    const answer = (value) => console.log(typeof value === "string" ? value : JSON.stringify(value));`;
  const made = new LineChild(process.execPath, ["-e", `${head}\n${script}`]);
  children.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(children.splice(0).map((one) => one.close()));
});

describe("LineChild", () => {
  it("answers requests in order", async () => {
    const one = child(`lines.on("line", (line) => answer({ twice: JSON.parse(line).value * 2 }));`);
    const answers = await Promise.all([one.ask({ value: 1 }), one.ask({ value: 2 })]);
    expect(answers).toEqual([{ twice: 2 }, { twice: 4 }]);
  });

  it("rejects with what the child calls an error, and goes on", async () => {
    const one = child(`lines.on("line", (line) => answer(line.includes("bad") ? { error: "no such case" } : {}));`);
    await expect(one.ask({ command: "bad" })).rejects.toThrowError("no such case");
    await expect(one.ask({ command: "good" })).resolves.toEqual({});
  });

  it("rejects what is no JSON", async () => {
    const one = child(`lines.on("line", () => answer("hello"));`);
    await expect(one.ask({})).rejects.toThrowError('expected an answer in JSON, received "hello"');
  });

  it("rejects what is pending, and all that follows, when the child ends, with its last complaint", async () => {
    const one = child(`lines.once("line", () => { console.error("out of memory"); process.exit(7); });`);
    await expect(one.ask({})).rejects.toThrowError("ended with status 7: out of memory");
    await expect(one.ask({})).rejects.toThrowError("ended with status 7");
  });

  it("ends a process that takes too long, and says at what", async () => {
    const one = child(`lines.on("line", () => {});`);
    await expect(one.ask({ command: "run" }, 50)).rejects.toThrowError('no answer to "run" within 0.05 s');
    await expect(one.ask({ command: "run" })).rejects.toThrowError("no answer");
  });

  it("rejects when there is no such program", async () => {
    const one = new LineChild("/no/such/program", []);
    await expect(one.ask({})).rejects.toThrowError("ENOENT");
    await one.close();
  });
});

describe("TorchPeer", () => {
  it("says what was tried and how to get it where there is none", async () => {
    const peer = new TorchPeer("torch_peer.py", () => 1, ["/no/such/python"]);
    const failure = await peer.start(1).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PeerUnavailable);
    expect((failure as Error).message).toMatch(/\/no\/such\/python: .*ENOENT.*apt-get install python3-torch$/);
  });
});
