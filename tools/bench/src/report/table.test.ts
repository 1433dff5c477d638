import { describe, expect, it } from "vitest";
import { renderTable } from "./table.js";

const columns = [{ title: "operation" }, { title: "ms", align: "right" }, { title: "target" }] as const;
const rows = [
  ["rmsNorm", "31.2", "≥ 2× met"],
  ["addRmsNorm", "5", ""],
];

describe("renderTable", () => {
  it("aligns columns and leaves no trailing spaces", () => {
    expect(renderTable(columns, rows, 80)).toMatchInlineSnapshot(`
      "operation     ms  target
      rmsNorm     31.2  ≥ 2× met
      addRmsNorm     5"
    `);
  });

  it("becomes one block a row where the width is less than a line", () => {
    const table = renderTable(columns, rows, 20);
    expect(table).toMatchInlineSnapshot(`
      "rmsNorm
        ms      31.2
        target  ≥ 2× met
      addRmsNorm
        ms      5
        target"
    `);
    expect(Math.max(...table.split("\n").map((line) => line.length))).toBeLessThanOrEqual(20);
  });

  it("uses the whole width, and not one character more", () => {
    const line = renderTable(columns, rows, 80).split("\n")[1] as string;
    expect(renderTable(columns, rows, line.length).split("\n")).toHaveLength(3);
    expect(renderTable(columns, rows, line.length - 1).split("\n")).toHaveLength(6);
  });

  it("takes several columns as the heading of a block", () => {
    const table = renderTable(columns, [["rmsNorm", "31.2", "met"]], 5, 2);
    expect(table).toBe("rmsNorm 31.2\n  target  met");
  });

  it("is its titles without rows", () => {
    expect(renderTable(columns, [], 80)).toBe("operation  ms  target");
  });
});
