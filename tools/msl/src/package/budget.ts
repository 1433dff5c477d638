/** What one library of a family may take: 400 KB to install and 20 s of a processor to build. */
export const BUDGET = { bytes: 400 * 1024, seconds: 20 } as const;

/** A library is larger, or took longer to build, than a family may have. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
}

/** A library and what it took. */
export interface Spent {
  /** File name. */
  readonly library: string;
  readonly bytes: number;
  /** Processor time of its build. */
  readonly seconds: number;
}

/**
 * Checks the libraries of a family against the budget.
 *
 * @throws BudgetError that names every one that is over, and what usually helps
 */
export function checkBudget(libraries: readonly Spent[]): void {
  const complaints = libraries.flatMap(({ library, bytes, seconds }) => {
    const over: string[] = [];
    if (bytes > BUDGET.bytes) over.push(`${kilobytes(bytes)} of ${kilobytes(BUDGET.bytes)}`);
    if (seconds > BUDGET.seconds) over.push(`${seconds.toFixed(1)} s of ${BUDGET.seconds} s`);
    return over.length === 0 ? [] : [`  ${library}: ${over.join(", ")}`];
  });
  if (complaints.length === 0) return;
  throw new BudgetError(
    `Libraries are over their budget:\n${complaints.join("\n")}\n` +
      "Fewer type macros in a kernel make fewer variants; options belong into constants.",
  );
}

/** Bytes as text. */
export function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}
