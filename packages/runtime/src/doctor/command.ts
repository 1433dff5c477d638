import type { Command } from "../cli/command.js";
import type { CommandContext } from "../cli/output.js";
import { UsageError } from "../cli/usage.js";
import { version } from "../version.js";
import { allChecks } from "./checks/index.js";
import { type DoctorArguments, deviceNames, readArguments } from "./options.js";
import { asJson, defaultReportFile, type Report, reportOf, writeReport } from "./report.js";
import { type Checks, type Listener, runChecks } from "./run.js";
import { beginLine, closing, deviceLine, endLine } from "./text.js";
import type { Context } from "./types.js";

const help = `Usage: metile doctor [options]

Looks at this machine: devices, the native addon, every kernel of the runtime and of the families that are installed for
this folder, memory, forward and backward of every pair, faults, threads. Exit code 0: everything passed or was skipped;
1: a check failed; 2: the command line is wrong.

  --device <name>   look at this device (${deviceNames().join(", ")}), and fail if it is not there; may be given more than once.
                    Default: every device that is there, and METILE_DEVICE's
  --quick           float32 and one tile alone, less memory
  --report <file>   write the report there. Default: ${defaultReportFile}, if a check failed
  --json            print the report as JSON in place of the list
  --help            print this

The report is what to attach to an issue. It holds versions, facts of the processor and GPU, variables called METILE_* and
what the checks found; no names of users, and no paths but those inside packages.
`;

const silent: Listener = { device: () => {}, begin: () => {}, end: () => {} };

function spoken({ out }: CommandContext): Listener {
  return {
    device: (device) => out(deviceLine(device)),
    begin: (check) => out(beginLine(check)),
    end: (result) => out(endLine(result)),
  };
}

/** Writes the report where it was asked for, or where something failed; says where it lies. */
function leaveReport(report: Report, { report: asked, json }: DoctorArguments, context: CommandContext): void {
  if (asked === undefined && report.passed) return;
  const file = asked ?? defaultReportFile;
  const say = json ? context.error : context.out;
  try {
    writeReport(report, file, context.folder);
    say(`Report: ${file} (no names and no folders of yours are in it; attach it to an issue)\n`);
  } catch (error) {
    const message = `The report could not be written to '${file}': ${(error as Error).message}.`;
    if (asked !== undefined) throw new UsageError(message);
    context.error(`${message}\n`);
  }
}

/** The command, for a set of checks. */
export function doctorCommand(checks: Checks): Command {
  return {
    summary: "looks at devices, kernels and families on this machine; its report is what to send in an issue",
    help,
    async run(parameters, context) {
      const given = readArguments(parameters);
      const { devices, quick, json } = given;
      const state: Context = { options: { devices, quick }, folder: context.folder, families: [], devices: [] };
      if (!json) context.out(`meTile doctor ${version}\n\n`);
      const results = await runChecks(checks, state, json ? silent : spoken(context));
      const report = reportOf(state, results);
      context.out(json ? asJson(report) : closing(report));
      leaveReport(report, given, context);
      return report.passed ? 0 : 1;
    },
  };
}

/** `metile doctor` */
export const doctor: Command = doctorCommand(allChecks);
