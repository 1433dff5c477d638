/**
 * All choices of one value for each name.
 * @example
 * combinations({ rows: [1, 2], dtype: ["float32"] }); // [{ rows: 1, dtype: "float32" }, { rows: 2, dtype: "float32" }]
 */
export function combinations<Choices extends Readonly<Record<string, readonly unknown[]>>>(
  choices: Choices,
): { [Name in keyof Choices]: Choices[Name][number] }[] {
  let all: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(choices))
    all = all.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value })));
  return all as { [Name in keyof Choices]: Choices[Name][number] }[];
}

/** All subsets of a list, the empty one first and the whole list last. */
export function subsets<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: 2 ** items.length }, (_, mask) => items.filter((_item, index) => (mask >> index) & 1));
}
