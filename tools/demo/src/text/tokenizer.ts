/** Words with the space before them, numbers, runs of punctuation, white space. */
const pieces = / ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+/gu;

/** Two tokens as one key; vocabularies are smaller than 2^16. */
const pairOf = (first: number, second: number): number => first * 65_536 + second;

/** Replaces each occurrence of a pair by its token, from the left. */
function merge(tokens: readonly number[], pair: number, token: number): number[] {
  const merged: number[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const next = tokens[index + 1];
    if (next !== undefined && pairOf(tokens[index] as number, next) === pair) {
      merged.push(token);
      index += 1;
    } else merged.push(tokens[index] as number);
  }
  return merged;
}

const bytesOf = (piece: string): number[] => [...new TextEncoder().encode(piece)];

/** Pieces of a text that are spelled alike, with how often they occur. */
function countPieces(text: string): { tokens: number[]; count: number }[] {
  const counts = new Map<string, number>();
  for (const [piece] of text.matchAll(pieces)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return [...counts].map(([piece, count]) => ({ tokens: bytesOf(piece), count }));
}

/**
 * A byte-pair tokenizer: the 256 bytes, and tokens for the pairs that were most frequent in the text it was trained on.
 * Every text can be encoded, and decoding gives it back.
 *
 * @example
 * const tokenizer = Tokenizer.train("low lower lowest", 260);
 * tokenizer.decode(tokenizer.encode("slow")); // "slow"
 */
export class Tokenizer {
  /** The token of a pair, in the order in which they were learned. */
  readonly #merges: ReadonlyMap<number, number>;
  /** The bytes of each token. */
  readonly #bytes: readonly Uint8Array[];
  readonly #encoded = new Map<string, readonly number[]>();

  private constructor(merges: ReadonlyMap<number, number>, bytes: readonly Uint8Array[]) {
    this.#merges = merges;
    this.#bytes = bytes;
  }

  /** How many tokens there are. */
  get size(): number {
    return this.#bytes.length;
  }

  /**
   * Learns from a text. Of two pairs that are equally frequent the lower tokens come first, so that the same text gives the
   * same tokenizer. Learning stops early when no pair occurs twice.
   *
   * @param vocabulary - the most tokens it may have, 256 to 65,536
   */
  static train(text: string, vocabulary: number): Tokenizer {
    const words = countPieces(text);
    const counts = new Map<number, number>();
    const places = new Map<number, Set<number>>();
    const note = (word: number, sign: 1 | -1): void => {
      const { tokens, count } = words[word] as (typeof words)[number];
      for (let index = 0; index + 1 < tokens.length; index += 1) {
        const pair = pairOf(tokens[index] as number, tokens[index + 1] as number);
        counts.set(pair, (counts.get(pair) ?? 0) + sign * count);
        const where = places.get(pair) ?? new Set();
        places.set(pair, where.add(word));
      }
    };
    for (let word = 0; word < words.length; word += 1) note(word, 1);
    const merges = new Map<number, number>();
    const bytes = Array.from({ length: 256 }, (_, value) => Uint8Array.of(value));
    while (bytes.length < vocabulary) {
      let best = -1;
      let most = 1;
      for (const [pair, count] of counts)
        if (count > most || (count === most && count > 1 && pair < best)) {
          best = pair;
          most = count;
        }
      if (best < 0) break;
      const token = bytes.length;
      merges.set(best, token);
      bytes.push(Uint8Array.of(...(bytes[best >>> 16] as Uint8Array), ...(bytes[best & 0xffff] as Uint8Array)));
      // Only the pieces that hold the pair change: their pairs are taken back and counted anew.
      for (const word of places.get(best) ?? []) {
        note(word, -1);
        const entry = words[word] as (typeof words)[number];
        entry.tokens = merge(entry.tokens, best, token);
        note(word, 1);
      }
      counts.delete(best);
      places.delete(best);
    }
    return new Tokenizer(merges, bytes);
  }

  /** The tokens of a text. */
  encode(text: string): number[] {
    const tokens: number[] = [];
    for (const [piece] of text.matchAll(pieces)) {
      const known = this.#encoded.get(piece) ?? this.#encodePiece(piece);
      this.#encoded.set(piece, known);
      tokens.push(...known);
    }
    return tokens;
  }

  /** The text of tokens. */
  decode(tokens: readonly number[]): string {
    return new TextDecoder().decode(
      Uint8Array.from(tokens.flatMap((token) => [...(this.#bytes[token] as Uint8Array)])),
    );
  }

  /** Merges pairs in the order in which they were learned. */
  #encodePiece(piece: string): readonly number[] {
    let tokens = bytesOf(piece);
    for (;;) {
      let pair = -1;
      let token = Number.POSITIVE_INFINITY;
      for (let index = 0; index + 1 < tokens.length; index += 1) {
        const candidate = pairOf(tokens[index] as number, tokens[index + 1] as number);
        const merged = this.#merges.get(candidate);
        if (merged !== undefined && merged < token) {
          pair = candidate;
          token = merged;
        }
      }
      if (pair < 0) return tokens;
      tokens = merge(tokens, pair, token);
    }
  }
}
