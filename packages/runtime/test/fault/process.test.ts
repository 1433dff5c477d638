import { expect, it } from "vitest";
import { evaluate, runModule } from "../support/process.js";

const faulted = `
import { device, tensor } from "@metile/runtime";
const faulted = () => {
  device().native.injectFault("injected");
  return tensor([1, 2]).cast("int32");
};
`;
const strict = { flags: ["--unhandled-rejections=strict"] };

it("R33: faults that nobody reads, and faults that are caught, leave no unhandled rejection and a clean exit", async () => {
  const seen = await evaluate<string[]>(
    `${faulted}
    const seen = [];
    const unread = faulted();
    const dependent = unread.cast("float32");
    await device().synchronize();
    for (const each of [faulted(), dependent]) await each.data().catch((error) => seen.push(error.name));
    try { faulted().dataSync(); } catch (error) { seen.push(error.name); }
    seen.push(String((await tensor([7]).cast("int32").data())[0]));
    console.log(JSON.stringify(seen));`,
    strict,
  );
  expect(seen).toEqual(["FaultError", "FaultError", "FaultError", "7"]);
});

it("a fault that is read and not caught ends the process as any rejection does, with the error in words", async () => {
  const { code, stderr } = await runModule(`${faulted} faulted().data();`, strict);
  expect(code).toBe(1);
  expect(stderr).toContain("FaultError");
  expect(stderr).toContain("injected");
});

it("a failed view read disposes of its copy and rejects once", async () => {
  const { code, stderr, stdout } = await runModule(
    `${faulted}
    const turned = faulted().reshape([2, 1]).transpose().expand([2, 2]);
    await turned.data().catch((error) => console.log(error.name));`,
    strict,
  );
  expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "FaultError\n" });
});
