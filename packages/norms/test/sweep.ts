import { isSmallRun } from "@metile/runtime/testing";
import { it } from "vitest";
import { prove } from "./prove.js";
import type { Subject } from "./subjects.js";
import { floatingTypes, otherType, rowCounts, typeCombinations, widths } from "./types.js";

/** Where types differ, many wide rows are left to the combinations of one type. */
const mostElements = 45_000;

/** The width for types that differ in a small run: on a GPU every width and combination of types compiles kernels of its own. */
const mixedWidth = 1000;

function isPlain({ source, parameter, cotangent, gradientType }: (typeof typeCombinations)[number]): boolean {
  return parameter === source && cotangent === source && gradientType === "float32";
}

/** Tests of an operation on random values: every combination of types at every width and number of rows, all options. */
export function sweep(subject: Subject, options: readonly Readonly<Record<string, unknown>>[]): void {
  for (const types of typeCombinations) {
    const { source, parameter, cotangent, gradientType } = types;
    const all = !isSmallRun() || isPlain(types);
    const name = `${source} with ${parameter} parameters, ${cotangent} cotangents and ${gradientType} gradients`;
    it(`${name}: widths ${all ? "1 to 8192" : mixedWidth}, rows 1 to 45`, () => {
      for (const columns of all ? widths : [mixedWidth])
        for (const rows of rowCounts)
          if (rows * columns <= mostElements || isPlain(types))
            prove(subject, { ...types, shape: [rows, columns], seed: rows + columns });
    });
    if (!all) it.skip(`${name}: other widths (left out of a small run)`);
  }

  it.each(floatingTypes)("%s: widths 16384 and 65536", (source) => {
    for (const columns of [16_384, 65_536]) prove(subject, { source, shape: [2, columns] });
  });

  it.each(floatingTypes)("%s: a single row without leading dimensions, and four of them", (source) => {
    for (const shape of [[33], [2, 1, 3, 5, 7]]) prove(subject, { source, shape });
  });

  it.each(floatingTypes)("%s: more rows than partial sums", (source) => {
    for (const shape of [
      [3000, 7],
      [513, 129],
      [65, 1024],
    ])
      prove(subject, { source, shape });
  });

  it.each(options)("options %o in every type", (chosen) => {
    for (const source of floatingTypes)
      for (const parameter of [source, otherType[source]])
        prove(subject, { source, parameter, shape: [45, 127], options: chosen });
  });

  it.each(floatingTypes)("%s: parameters left out", (source) => {
    const { parameters } = subject;
    for (const without of parameters.length === 1 ? [parameters] : [[parameters[0]], [parameters[1]], parameters])
      prove(subject, { source, shape: [45, 127], without: without as string[], options: options[0] ?? {} });
  });
}
