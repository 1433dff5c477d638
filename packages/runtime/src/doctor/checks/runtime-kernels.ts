import type { Device } from "../../device/device.js";
import type { FloatingDtype } from "../../dtype/dtype.js";
import { addParts } from "../../reduce/add-parts.js";
import { scope } from "../../scope/scope.js";
import { tensor } from "../../tensor/create.js";
import { compare } from "../../testing/compare.js";
import { Random } from "../../testing/random.js";
import { rounded } from "../../testing/rounding.js";
import { Findings } from "../outcome.js";
import type { DeviceCheck } from "../types.js";

const rows = 67;
const columns = 129;

/** A transposed tensor, copied in order and converted from and to each type. */
function transposed(device: Device, from: FloatingDtype, to: FloatingDtype): void {
  const values = rounded(new Random(3).normal(rows * columns), from);
  const copy = scope(() => tensor(Float32Array.from(values), [rows, columns], from, device).transpose().cast(to));
  const seen = copy.dataSync();
  copy.dispose();
  const expected = Float64Array.from(values, (_, index) => {
    const [column, row] = [Math.floor(index / rows), index % rows];
    return values[row * columns + column] as number;
  });
  compare(seen as Float32Array, rounded(expected, to), to, { relative: 0, absolute: 0 });
}

/** Sums over partial sums against float64. */
function columnSums(device: Device, parts: number, to: FloatingDtype): number {
  const values = rounded(new Random(parts).normal(parts * columns), "float32");
  const exact = new Float64Array(columns);
  for (let index = 0; index < values.length; index += 1)
    exact[index % columns] = (exact[index % columns] as number) + (values[index] as number);
  const sums = scope(() =>
    addParts(tensor(Float32Array.from(values), [parts, 1, columns], "float32", device), 0, [columns], to),
  );
  const seen = sums.dataSync() as Float32Array;
  sums.dispose();
  // Terms of order 1 cancel: the error goes with their number rather than with the sum.
  const absolute = 1e-6 * Math.sqrt(parts);
  return compare(seen, exact, to, to === "float32" ? { relative: 1e-5, absolute } : { steps: 1, absolute }).error;
}

/** The runtime's own kernels compute what the host computes. */
export const runtimeKernels: DeviceCheck = {
  name: "runtime kernels",
  async run(device, { options }) {
    const findings = new Findings();
    const all: readonly FloatingDtype[] = ["float32", "float16", "bfloat16"];
    const types = options.quick ? all.slice(0, 1) : all.filter((type) => type !== "bfloat16" || device.info.bfloat);
    let results = 0;
    for (const from of types)
      for (const to of types) {
        results += 1;
        await findings.attempt(`strided copy from ${from} to ${to}`, () => transposed(device, from, to));
      }
    const errors: Record<string, number> = {};
    for (const parts of [2, 9, 300])
      for (const type of types) {
        results += 1;
        await findings.attempt(`column sums of ${parts} parts in ${type}`, () => {
          errors[`${parts} parts, ${type}`] = columnSums(device, parts, type);
        });
      }
    return findings.outcome(`${results} strided copies and column sums equal the host's (${types.join(", ")})`, {
      types: [...types],
      columnSumErrors: errors,
    });
  },
};
