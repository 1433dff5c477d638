import { describe, expect, it } from "vitest";
import { dimensionsOf, even, hasRows, odd, shapesAt } from "../../src/doctor/proof/shapes.js";

describe("dimensionsOf", () => {
  it.each([
    ["(…, columns)", ["…", "columns"]],
    ["(columns)", ["columns"]],
    ["(batch, 4, columns)", ["batch", "4", "columns"]],
    ["()", []],
    ["normalizedShape", ["normalizedShape"]],
  ])("reads %s", (shape, expected) => {
    expect(dimensionsOf(shape)).toEqual(expected);
  });

  it.each(["(…, 2 · columns)", "as the source", "(rows, columns) or (columns)", "(rows - 1)", ""])(
    "gives up on %j",
    (shape) => {
      expect(dimensionsOf(shape)).toBeUndefined();
    },
  );

  it("tells rows from parameters", () => {
    expect(["(…, columns)", "(columns)", "anything else"].map(hasRows)).toEqual([true, false, false]);
  });
});

describe("shapesAt", () => {
  const inputs = {
    source: { shape: "(…, columns)" },
    weight: { shape: "(columns)" },
    table: { shape: "(rows, columns)" },
  };

  it("gives a name one extent wherever it stands", () => {
    expect(shapesAt(inputs, {}, even)).toEqual({ source: [3, 5, 64], weight: [64], table: [32, 64] });
    expect(shapesAt(inputs, {}, odd)).toEqual({ source: [7, 33], weight: [33], table: [17, 33] });
  });

  it("stays within bounds", () => {
    expect(shapesAt(inputs, { columns: 8 }, even)).toEqual({ source: [3, 5, 8], weight: [8], table: [32, 8] });
  });

  it("gives nothing for a shape that it cannot read, or for more names than sizes", () => {
    expect(shapesAt({ source: { shape: "of any kind" } }, {}, even)).toBeUndefined();
    expect(shapesAt({ source: { shape: "(a, b, c, d, e)" } }, {}, even)).toBeUndefined();
  });
});
