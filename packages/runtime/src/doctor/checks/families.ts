import { version } from "../../version.js";
import { familyNames, findFamily } from "../families.js";
import { Findings, messageOf } from "../outcome.js";
import type { Check } from "../types.js";

/** Imports the families that are installed, which makes their kernels and pairs known. */
export const families: Check = {
  name: "families",
  async run(context) {
    const findings = new Findings();
    const found = [];
    for (const name of familyNames) {
      const result = await findFamily(name, context.folder);
      if (result === undefined) continue;
      if ("error" in result) findings.fail(`@metile/${name} does not load: ${messageOf(result.error)}`);
      else found.push(result.family);
    }
    for (const { name, runtimeVersion } of found)
      if (runtimeVersion !== version)
        findings.fail(`@metile/${name} binds to another @metile/runtime, ${runtimeVersion}; this is ${version}`);
    context.families = found;
    const installed = Object.fromEntries(found.map(({ name, version: own }) => [name, own]));
    const listed = found.map(({ name, version: own }) => `${name} ${own}`).join(", ");
    return findings.facts(listed === "" ? "none are installed for this folder" : listed, { installed });
  },
};
