import type { Device } from "../device/device.js";
import { counted } from "./outcome.js";
import type { DeviceWork, Report } from "./report.js";
import type { Result } from "./types.js";

const nameWidth = 22;
const statusWidth = 7;
const timeWidth = 8;
const mostProblems = 6;
const mostWarnings = 4;
const mostLines = 8;

/** "3 ms", "1.2 s". */
export function duration(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

/** A check that begins. */
export function beginLine(check: string): string {
  return `  ${check.padEnd(nameWidth)} `;
}

/** Texts below a check, some lines of each and some of them. */
function below(label: string, texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).map((text) => {
    const lines = text.trimEnd().split("\n");
    const kept = lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines;
    return `      ${label}${kept.join("\n        ")}\n`;
  });
  const left = texts.length - shown.length;
  return shown.join("") + (left > 0 ? `      and ${left} more in the report\n` : "");
}

/** The rest of a check's line, and what is wrong below it. */
export function endLine({ status, seconds, summary, problems, warnings }: Result): string {
  const line = `${status.padEnd(statusWidth)} ${duration(seconds).padStart(timeWidth)}   ${summary}\n`;
  return line + below("", problems, mostProblems) + below("warning: ", warnings, mostWarnings);
}

/** The line above a device's checks. */
export function deviceLine({ info }: Device): string {
  return `\n${info.name}${info.standin ? " (a stand-in: no GPU runs)" : ""}: ${info.hardware}, ${info.level}\n`;
}

function workLine([name, { launches, gpuSeconds, commandBuffers }]: [string, DeviceWork]): string {
  const gpu =
    gpuSeconds === undefined ? "" : `, ${duration(gpuSeconds)} of GPU time in ${commandBuffers} command buffers`;
  return `${name}: ${counted(launches, "launch", "launches")}${gpu}.\n`;
}

/** What stands below all checks. */
export function closing({ counts, seconds, devices }: Report): string {
  const { passed, failed, skipped, warnings } = counts;
  const sum = `${passed} passed, ${failed} failed, ${skipped} skipped, ${counted(warnings, "warning")}, in ${duration(seconds)}.\n`;
  return `\n${sum}${Object.entries(devices).map(workLine).join("")}`;
}
