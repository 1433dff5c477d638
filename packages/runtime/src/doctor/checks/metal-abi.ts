import { loadBinding } from "../../native/load.js";
import { counted, Findings, skipped } from "../outcome.js";
import type { DeviceCheck } from "../types.js";

/** Compares the live Objective-C runtime with the messages that the addon sends. */
export const metalAbi: DeviceCheck = {
  name: "Metal ABI",
  run(device) {
    if (device.name !== "metal") return skipped("only Metal is called by messages");
    const { checked, differences, unreached } = loadBinding().metalAbi();
    const findings = new Findings();
    // Private classes may spell enumerations otherwise: whether a difference matters, the other checks tell.
    for (const { receiver, selector, ours, theirs } of differences)
      findings.warn(`${receiver} ${selector}: ours ${ours}, theirs ${theirs === "" ? "no such method" : theirs}`);
    for (const kind of unreached) findings.warn(`none of ${kind} could be made to compare`);
    if (checked === 0) findings.fail("no message could be compared");
    const summary = `${counted(checked, "message")} compared, ${counted(differences.length, "difference")}`;
    return findings.facts(unreached.length === 0 ? summary : `${summary}, ${unreached.length} kinds unreached`, {
      checked,
      differences: differences.map((each) => ({ ...each })),
      unreached,
    });
  },
};
