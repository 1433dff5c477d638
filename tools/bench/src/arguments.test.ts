import { describe, expect, it } from "vitest";
import { parseSettings, UsageError } from "./arguments.js";

const known = ["rmsNorm", "layerNorm"];
const parse = (...parameters: string[]) =>
  parseSettings(parameters, known, { out: "/results.json", python: undefined });

describe("parseSettings", () => {
  it("measures everything at 4096 × 8192 by default", () => {
    expect(parse()).toEqual({
      rows: 4096,
      columns: 8192,
      operations: known,
      dtypes: ["float32", "bfloat16"],
      gradientType: "input",
      threads: undefined,
      repeats: 15,
      hostIterations: 5000,
      python: undefined,
      out: "/results.json",
    });
  });

  it("takes every flag, and the lone -- that package managers pass on", () => {
    const flags = ["--rows", "8", "--columns=16", "--operations", "layerNorm", "--dtypes", "float16,float32"];
    const more = ["--gradients", "float32", "--threads", "3", "--repeats", "4", "--python", "/p", "--out", "o.json"];
    expect(parse("--", ...flags, ...more)).toEqual({
      rows: 8,
      columns: 16,
      operations: ["layerNorm"],
      dtypes: ["float16", "float32"],
      gradientType: "float32",
      threads: 3,
      repeats: 4,
      hostIterations: 5000,
      python: "/p",
      out: "o.json",
    });
  });

  it("is small with --quick, except where a flag says otherwise", () => {
    expect(parse("--quick")).toMatchObject({ rows: 512, columns: 2048, repeats: 5, hostIterations: 1000 });
    expect(parse("--quick", "--rows", "4096")).toMatchObject({ rows: 4096, columns: 2048 });
  });

  it("names a type or an operation once", () => {
    expect(parse("--dtypes", "float32, float32")?.dtypes).toEqual(["float32"]);
  });

  it("prefers --python to the environment's", () => {
    const defaults = { out: "o", python: "/environment" };
    expect(parseSettings([], known, defaults)?.python).toBe("/environment");
    expect(parseSettings(["--python", "/flag"], known, defaults)?.python).toBe("/flag");
  });

  it("gives nothing for --help", () => {
    expect(parse("--help")).toBeUndefined();
  });

  it.each([
    [["--rows", "0"], '--rows: expected a whole number from 1 on, received "0".'],
    [["--repeats", "2.5"], '--repeats: expected a whole number from 1 on, received "2.5".'],
    [["--operations", "rope"], '--operations: expected names among rmsNorm, layerNorm, received "rope".'],
    [["--dtypes", "int32"], '--dtypes: expected names among float32, bfloat16, float16, received "int32".'],
    [["--gradients", "none"], '--gradients: expected names among input, float32, received "none".'],
  ])("refuses %j", (parameters, message) => {
    expect(() => parse(...parameters)).toThrowError(new UsageError(message));
  });

  it.each([[["--fast"]], [["rmsNorm"]], [["--rows"]]])("refuses %j as unknown or incomplete", (parameters) => {
    expect(() => parse(...parameters)).toThrowError(UsageError);
  });
});
