import { describe, expect, it } from "vitest";
import { redact, redactText } from "../../src/doctor/redact.js";

const home = "/Users/Jo Smith";

describe("redactText", () => {
  it.each([
    ["/Users/Jo Smith/.cache/metile", "…/metile"],
    [
      "no file /Users/Jo Smith/app/node_modules/@metile/norms/cpu/norms.so here",
      "no file @metile/norms/cpu/norms.so here",
    ],
    [
      "file:///srv/jo/node_modules/.pnpm/a@1/node_modules/@metile/runtime/dist/cli.js:3",
      "@metile/runtime/dist/cli.js:3",
    ],
    ["(/opt/jo/bin/cc)", "(…/cc)"],
    ["C:\\Users\\jo\\x.node", "…/x.node"],
    ["a=/home/jo/one, /home/jo/two", "a=…/one, …/two"],
  ])("takes folders out of %j", (text, expected) => {
    expect(redactText(text, home)).toBe(expected);
  });

  it.each([
    "src/rms-norm/rms_norm.metal:12:5: error: use of undeclared identifier 'x'",
    "program_source:1:2: error",
    "linux/arm64 and 3 / 4",
    "@metile/norms: rms_norm_forward of rms_norm.metal (STORAGE=half)",
    "AMD EPYC, v3",
  ])("leaves %j as it is", (text) => {
    expect(redactText(text, home)).toBe(text);
  });

  it("knows the home folder of this process by itself", () => {
    expect(redactText(`${process.env.HOME ?? "/nowhere"}/metile/addon.node`)).toBe("…/addon.node");
  });
});

it("redact goes through objects and lists and leaves numbers", () => {
  expect(redact({ a: [`${home}/b/c`, 3, null], d: { e: true } }, home)).toEqual({
    a: ["…/c", 3, null],
    d: { e: true },
  });
});
