import type { Device } from "../../device/device.js";
import type { FloatingDtype } from "../../dtype/dtype.js";
import { withThreads } from "../../testing/device.js";
import { counted, Findings, messageOf, skipped } from "../outcome.js";
import { changedBits, compareResults } from "../proof/compare.js";
import { directionalDerivative } from "../proof/derivative.js";
import { dtypeFor, type ExportedPair, pairsOf, triedInputs, whyNot } from "../proof/pairs.js";
import { even, odd, type Sizes } from "../proof/shapes.js";
import { randomInputs, Trial } from "../proof/trial.js";
import type { Context, Detail, DeviceCheck } from "../types.js";

const types: readonly FloatingDtype[] = ["float32", "float16", "bfloat16"];

/** The types that a pair is tried in on a device. */
function typesFor({ pair }: ExportedPair, device: Device, quick: boolean): FloatingDtype[] {
  const inputs = Object.values(triedInputs(pair.contract));
  return (quick ? types.slice(0, 1) : types).filter(
    (type) => (type !== "bfloat16" || device.info.bfloat) && inputs.some((input) => dtypeFor(input, type) === type),
  );
}

/** One pair at one size in one type: against the CPU, and against itself. Gives undefined where it refuses the size. */
function tryPair(
  exported: ExportedPair,
  device: Device,
  sizes: Sizes,
  dtype: FloatingDtype,
  findings: Findings,
): Detail | undefined {
  const { pair, family } = exported;
  const inputs = randomInputs(exported, sizes, dtype);
  if (inputs === undefined) return undefined;
  const where = `${dtype}, ${Object.entries(inputs)
    .map(([name, { shape }]) => `${name} [${shape}]`)
    .join(", ")}`;
  const reference = new Trial(exported, family.runtime.device("cpu"));
  let expected: ReturnType<Trial["run"]>;
  try {
    expected = reference.run(inputs);
  } catch (error) {
    if (error instanceof RangeError && !/Memory/.test(error.name)) return undefined; // a ShapeError: not a size for it
    throw error;
  }
  const trial = new Trial(exported, device);
  const seen = trial.run(inputs);
  const compared = compareResults(pair.contract, seen, expected);
  for (const { problem } of compared) if (problem !== undefined) findings.fail(`${problem} (${where})`);
  const changed = changedBits(
    seen,
    withThreads(1, () => trial.run(inputs), device),
  );
  if (changed.length > 0) findings.fail(`${changed.join(", ")}: other bits in a second run (${where})`);
  return {
    dtype,
    shapes: Object.fromEntries(Object.entries(inputs).map(([name, { shape }]) => [name, [...shape]])),
    errors: Object.fromEntries(compared.map(({ name, comparison }) => [name, comparison?.error ?? null])),
  };
}

function tryDerivative(exported: ExportedPair, device: Device, findings: Findings): Detail {
  const inputs = randomInputs(exported, even, "float32") ?? {};
  const trial = new Trial(exported, device);
  const { numeric, analytic, bound } = directionalDerivative(trial, exported.pair.contract, inputs);
  if (!(Math.abs(numeric - analytic) <= bound))
    findings.fail(
      `the derivative along a random direction is ${numeric} by differences and ${analytic} by gradients, ` +
        `more than ${bound.toPrecision(3)} apart`,
    );
  return { numeric, analytic, bound };
}

/** Forward and backward of one pair. */
function proofOf(exported: ExportedPair): DeviceCheck {
  const { contract } = exported.pair;
  return {
    name: `proof of ${contract.name}`,
    run(device, { options }) {
      const reason = whyNot(contract);
      if (reason !== undefined) return skipped(reason);
      const findings = new Findings();
      const trials: Detail[] = [];
      const tried = typesFor(exported, device, options.quick);
      for (const dtype of tried)
        for (const sizes of options.quick ? [even] : [even, odd]) {
          try {
            const trial = tryPair(exported, device, sizes, dtype, findings);
            if (trial !== undefined) trials.push(trial);
          } catch (error) {
            findings.fail(`${dtype}: ${messageOf(error)}`);
          }
        }
      if (trials.length === 0 && findings.problems.length === 0) return skipped("it takes none of the sizes to try");
      let derivative: Detail = null;
      if (tried.includes("float32") && findings.problems.length === 0)
        derivative = tryDerivative(exported, device, findings);
      const against = device.name === "cpu" ? "" : "the CPU's results, ";
      const slope = derivative === null ? "" : ", one derivative";
      return findings.outcome(
        `${counted(trials.length, "trial")} (${tried.join(", ")}): ${against}same bits twice${slope}`,
        {
          family: contract.family,
          trials,
          derivative,
        },
      );
    },
  };
}

/** A check for each pair of the installed families. */
export function proofs({ families }: Context): DeviceCheck[] {
  const all = pairsOf(families).map(proofOf);
  if (all.length > 0) return all;
  return [{ name: "proof", run: () => skipped("no family with pairs is installed here") }];
}
