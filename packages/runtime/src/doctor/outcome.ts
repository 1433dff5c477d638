import type { Outcome } from "./types.js";

type Details = Outcome["details"];

/** What a check collects while it looks. */
export class Findings {
  readonly problems: string[] = [];
  readonly warnings: string[] = [];

  fail(problem: string): void {
    this.problems.push(problem);
  }

  warn(warning: string): void {
    this.warnings.push(warning);
  }

  /** Runs a step; what it throws is a problem. */
  async attempt(step: string, run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.fail(`${step}: ${messageOf(error)}`);
    }
  }

  /** The outcome. The summary says what went well: where something did not, the number of problems stands in its place. */
  outcome(summary: string, details: Details = {}): Outcome {
    return this.facts(this.problems.length === 0 ? summary : counted(this.problems.length, "problem"), details);
  }

  /** The outcome with a summary that is true whatever came of the check. */
  facts(summary: string, details: Details = {}): Outcome {
    const { problems, warnings } = this;
    return { status: problems.length === 0 ? "passed" : "failed", summary, problems, warnings, details };
  }
}

/** A check that could not be made here. */
export function skipped(reason: string, details: Details = {}): Outcome {
  return { status: "skipped", summary: reason, problems: [], warnings: [], details };
}

/** A check that broke off. */
export function failed(error: unknown): Outcome {
  return {
    status: "failed",
    summary: "could not be finished",
    problems: [messageOf(error)],
    warnings: [],
    details: {},
  };
}

/** An error as one text, named unless its class says nothing. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
}

/** "1 kernel", "3 kernels". */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
