import { device } from "@metile/runtime";
import { describe, expect, it } from "vitest";
import { demo } from "./demo.js";

const prose = {
  text: "A row is scaled to unit root mean square, then multiplied by a weight. ".repeat(3),
  from: "a test",
};
const settings = { tokens: 40, columns: 48, repeats: 2 };

function recorder() {
  const written: string[] = [];
  return { output: { write: (text: string) => written.push(text) }, text: () => written.join("") };
}

describe("demo", () => {
  it("takes text through every operation and type, within tolerance, and shows it", async () => {
    const { output, text } = recorder();
    const good = await demo({ settings, prose, device: device(), output, signal: new AbortController().signal });
    expect(text()).toContain("9 of 9 within tolerance.");
    expect(good).toBe(true);
    expect(text()).toMatch(/^Device: \S+ \(the best device of this machine.*\): .+, \d+ threads$/m);
    expect(text()).toMatch(/^addRmsNorm +float16 .+ ok$/m);
    expect(text()).not.toContain("\u001b");
  });

  it("ends at once, and says so, when it is stopped", async () => {
    const { output, text } = recorder();
    await demo({ settings, prose, device: device(), output, signal: AbortSignal.abort() });
    expect(text()).toMatch(/Stopped\.\n$/);
    expect(text()).not.toContain("within");
  });
});
