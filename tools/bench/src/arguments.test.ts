import { describe, expect, it } from "vitest";
import { parseSettings, UsageError } from "./arguments.js";

const known = ["rmsNorm", "layerNorm"];
const defaults = { out: "/results.json", docs: "/docs", python: undefined };
const parse = (...parameters: string[]) => parseSettings(parameters, known, defaults);

describe("parseSettings", () => {
  it("leaves to the device what was not asked for", () => {
    expect(parse()).toEqual({
      device: undefined,
      sizes: undefined,
      operations: known,
      dtypes: undefined,
      passes: undefined,
      gradientType: "input",
      peers: undefined,
      threads: undefined,
      repeats: 15,
      calls: undefined,
      hostIterations: 5000,
      python: undefined,
      liger: undefined,
      out: "/results.json",
      docs: undefined,
    });
  });

  it("takes every flag, and the lone -- that package managers pass on", () => {
    const flags = ["--device", "cuda:1", "--rows", "8", "--widths=16,32", "--operations", "layerNorm"];
    const types = ["--dtype", "float16,float32", "--passes", "forward+backward", "--gradients", "float32"];
    const more = [
      "--peers",
      "eager,liger",
      "--threads",
      "3",
      "--repeats",
      "4",
      "--calls",
      "9",
      "--python",
      "/p",
      "--liger",
      "/l",
    ];
    expect(parse("--", ...flags, ...types, ...more, "--out", "o.json", "--write-docs")).toEqual({
      device: "cuda:1",
      sizes: [
        { rows: 8, columns: 16 },
        { rows: 8, columns: 32 },
      ],
      operations: ["layerNorm"],
      dtypes: ["float16", "float32"],
      passes: ["forward+backward"],
      gradientType: "float32",
      peers: ["eager", "liger"],
      threads: 3,
      repeats: 4,
      calls: 9,
      hostIterations: 5000,
      python: "/p",
      liger: "/l",
      out: "o.json",
      docs: "/docs",
    });
  });

  it("takes shapes in place of rows and widths", () => {
    expect(parse("--shapes", "8x16, 3×5")?.sizes).toEqual([
      { rows: 8, columns: 16 },
      { rows: 3, columns: 5 },
    ]);
    expect(() => parse("--shapes", "8x16", "--rows", "8")).toThrowError("in place of --rows and --widths");
  });

  it("completes rows or widths with those that targets are stated for", () => {
    expect(parse("--rows", "8")?.sizes).toEqual([{ rows: 8, columns: 8192 }]);
    expect(parse("--device", "cuda", "--rows", "8")?.sizes?.map(({ columns }) => columns)).toEqual([4096, 8192, 16384]);
    expect(parse("--device", "cuda", "--widths", "64")?.sizes).toEqual([{ rows: 8192, columns: 64 }]);
  });

  it("is small with --quick, except where a flag says otherwise", () => {
    expect(parse("--quick")).toMatchObject({
      sizes: [{ rows: 512, columns: 2048 }],
      repeats: 5,
      hostIterations: 1000,
    });
    expect(parse("--quick", "--rows", "4096")).toMatchObject({ sizes: [{ rows: 4096, columns: 2048 }] });
  });

  it("measures without peers when asked to", () => {
    expect(parse("--peers", "none")?.peers).toEqual([]);
  });

  it("names a type or an operation once", () => {
    expect(parse("--dtype", "float32, float32")?.dtypes).toEqual(["float32"]);
  });

  it("prefers --python to the environment's", () => {
    const named = { ...defaults, python: "/environment", liger: "/folder" };
    expect(parseSettings([], known, named)).toMatchObject({ python: "/environment", liger: "/folder" });
    expect(parseSettings(["--python", "/flag"], known, named)?.python).toBe("/flag");
  });

  it("gives nothing for --help", () => {
    expect(parse("--help")).toBeUndefined();
  });

  it.each([
    [["--rows", "0"], '--rows: expected a whole number from 1 on, received "0".'],
    [["--repeats", "2.5"], '--repeats: expected a whole number from 1 on, received "2.5".'],
    [["--operations", "rope"], '--operations: expected names among rmsNorm, layerNorm, received "rope".'],
    [["--dtype", "int32"], '--dtype: expected names among float32, bfloat16, float16, received "int32".'],
    [["--device", "gpu"], '--device: expected cpu, cuda, cuda:1 or metal, received "gpu".'],
    [["--shapes", "8"], '--shapes: expected rows by columns, as in 8192x4096, received "8".'],
    [["--widths", "8,x"], '--widths: expected a whole number from 1 on, received "x".'],
    [
      ["--passes", "sideways"],
      '--passes: expected names among forward, backward, forward+backward, received "sideways".',
    ],
    [["--peers", "jax"], '--peers: expected names among torch, eager, compile, liger, received "jax".'],
    [["--gradients", "none"], '--gradients: expected names among input, float32, received "none".'],
  ])("refuses %j", (parameters, message) => {
    expect(() => parse(...parameters)).toThrowError(new UsageError(message));
  });

  it.each([[["--fast"]], [["rmsNorm"]], [["--rows"]]])("refuses %j as unknown or incomplete", (parameters) => {
    expect(() => parse(...parameters)).toThrowError(UsageError);
  });
});
