import { expect, it } from "vitest";
import { openStandin, standinLibrary } from "../src/index.js";

it("is an addon that counts and fails on demand", () => {
  const standin = openStandin(standinLibrary());
  expect(standin.report()).toMatchObject({ liveObjects: 0, poolLeaks: 0, commandBuffers: 0, live: {} });
  expect(() => {
    standin.failNext(3);
    standin.failNext(2, "in other words");
    standin.failNextAllocation();
  }).not.toThrow();
});

it("says which variable is missing", () => {
  expect(() => openStandin("")).toThrow("METILE_METAL_STANDIN names no library.");
});
