import { expect, it } from "vitest";
import { parseSettings, UsageError } from "./arguments.js";

it("takes the repository's prose on the best device by default", () => {
  expect(parseSettings([])).toEqual({ path: undefined, device: undefined, tokens: 2048, columns: 2048, repeats: 7 });
});

it("takes a file, a device and sizes, after the lone -- that package managers pass on", () => {
  const parameters = ["--", "a.txt", "--device", "cpu", "--tokens=3", "--columns", "4", "--repeats", "5"];
  expect(parseSettings(parameters)).toEqual({ path: "a.txt", device: "cpu", tokens: 3, columns: 4, repeats: 5 });
});

it("gives nothing for --help", () => {
  expect(parseSettings(["--help"])).toBeUndefined();
});

it.each([[["--tokens", "0"]], [["--columns", "65537"]], [["a", "b"]], [["--rows", "1"]]])(
  "refuses %j",
  (parameters) => {
    expect(() => parseSettings(parameters)).toThrowError(UsageError);
  },
);
