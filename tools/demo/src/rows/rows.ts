import { type Fill, normals, seededRandom } from "@metile/bench";

/** Rows of numbers by token: standard normal, the same ones for a seed on every machine. */
function embeddingTable(vocabulary: number, columns: number, seed: number): Float32Array {
  return normals(vocabulary * columns, seededRandom(seed));
}

/** The rows of a table that tokens name, one below the other. */
function lookUp(table: Float32Array, tokens: readonly number[], columns: number): Float32Array {
  const rows = new Float32Array(tokens.length * columns);
  for (const [row, token] of tokens.entries())
    rows.set(table.subarray(token * columns, (token + 1) * columns), row * columns);
  return rows;
}

/**
 * Inputs of operations made from text: `source` is the embedding of each token, `residual` that of the token before, and
 * the cotangents are those of the token after, from a table of their own. Weights lie around 1, biases around 0.
 *
 * @param tokens - one a row
 * @param vocabulary - how many tokens there are
 * @param columns - numbers a row
 */
export function textFill(tokens: readonly number[], vocabulary: number, columns: number): Fill {
  const inward = embeddingTable(vocabulary, columns, 1);
  const outward = embeddingTable(vocabulary, columns, 2);
  const shifted = (by: number): number[] =>
    tokens.map((_, row) => tokens[(row + by + tokens.length) % tokens.length] as number);
  const makers: Readonly<Record<string, () => Float32Array>> = {
    source: () => lookUp(inward, tokens, columns),
    residual: () => lookUp(inward, shifted(-1), columns),
    cotangent: () => lookUp(outward, shifted(1), columns),
    residualCotangent: () => lookUp(outward, shifted(2), columns),
    weight: () => normals(columns, seededRandom(3)).map((value) => 1 + 0.1 * value),
    bias: () => normals(columns, seededRandom(4)).map((value) => 0.1 * value),
  };
  const made = new Map<string, Float32Array>();
  return (name) => {
    let values = made.get(name);
    if (values === undefined) {
      const maker = makers[name];
      if (maker === undefined) throw new Error(`no text stands for the input "${name}"`);
      values = maker();
      made.set(name, values);
    }
    return values;
  };
}
