import { errorAt, type Token } from "../text/token.js";

/** Binary operators by rising strength. */
const BINARY: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

/**
 * The value of an integer constant expression: a condition of `#if` after macros were replaced, or the argument of an
 * attribute.
 *
 * @param at - where an error points when the expression is empty or ends too early
 * @param unknown - value of a name that is no macro: 0 in conditions; an error where undefined
 * @throws MslError for anything that is no such expression
 *
 * @example
 * ```ts
 * evaluate(tokenize(new Source("x", "(2 + 3) * 4 > 19 ? 7 : 8")), at); // 7n
 * ```
 */
export function evaluate(tokens: readonly Token[], at: Token, unknown?: bigint): bigint {
  let index = 0;

  const peek = () => tokens[index]?.text;
  const expected = (what: string) => errorAt(tokens[index] ?? tokens.at(-1) ?? at, `${what} was expected here`);
  const accept = (text: string) => {
    if (peek() !== text) return false;
    index += 1;
    return true;
  };

  const conditional = (): bigint => {
    const condition = binary(0);
    if (!accept("?")) return condition;
    const whenTrue = conditional();
    if (!accept(":")) throw expected(":");
    const whenFalse = conditional();
    return condition !== 0n ? whenTrue : whenFalse;
  };

  const binary = (level: number): bigint => {
    const operators = BINARY[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (let token = tokens[index]; token && operators.includes(token.text); token = tokens[index]) {
      index += 1;
      left = apply(token, left, binary(level + 1));
    }
    return left;
  };

  const unary = (): bigint => {
    if (accept("!")) return unary() === 0n ? 1n : 0n;
    if (accept("-")) return -unary();
    if (accept("+")) return unary();
    if (accept("~")) return ~unary();
    if (accept("(")) {
      const value = conditional();
      if (!accept(")")) throw expected(")");
      return value;
    }
    const token = tokens[index];
    if (token === undefined) throw expected("a value");
    index += 1;
    if (token.kind === "number") return parseInteger(token);
    if (token.text === "true") return 1n;
    if (token.text === "false") return 0n;
    if (token.kind !== "identifier" || unknown === undefined || peek() === "(") {
      throw errorAt(token, `"${token.text}" has no value here; an integer constant expression was expected`);
    }
    return unknown;
  };

  const value = conditional();
  if (index < tokens.length) throw expected("the end of the expression");
  return value;
}

function apply(operator: Token, left: bigint, right: bigint): bigint {
  const truth = (value: boolean) => (value ? 1n : 0n);
  switch (operator.text) {
    case "||":
      return truth(left !== 0n || right !== 0n);
    case "&&":
      return truth(left !== 0n && right !== 0n);
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case "&":
      return left & right;
    case "==":
      return truth(left === right);
    case "!=":
      return truth(left !== right);
    case "<":
      return truth(left < right);
    case ">":
      return truth(left > right);
    case "<=":
      return truth(left <= right);
    case ">=":
      return truth(left >= right);
    case "<<":
      return left << right;
    case ">>":
      return left >> right;
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    default:
      // what the other side of && or || guards is computed too, so that division by zero must not throw
      if (right === 0n) return 0n;
      return operator.text === "/" ? left / right : left % right;
  }
}

function parseInteger(token: Token): bigint {
  const digits = token.text.replaceAll("'", "").replace(/[uUlLzZ]+$/, "");
  if (!/^(?:0[xX][\da-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/.test(digits)) {
    throw errorAt(token, `"${token.text}" is no integer constant`);
  }
  return /^0\d/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
}
