/** Width that the repository's formatter allows. */
const WIDTH = 120;

/**
 * JSON as a TypeScript literal in the form that the formatter gives it.
 *
 * @param indent - spaces before the line on which the literal ends
 * @param before - characters before it on its first line, indentation included
 */
export function printLiteral(value: unknown, indent: number, before: number): string {
  const inline = printInline(value);
  // the comma behind it counts
  if (!breaks(value) && before + inline.length + 1 <= WIDTH) return inline;
  const inner = " ".repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${printLiteral(item, indent + 2, indent + 2)},\n`)
    : Object.entries(value as object).map(([key, item]) => {
        const name = printKey(key);
        return `${inner}${name}: ${printLiteral(item, indent + 2, indent + name.length + 4)},\n`;
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join("")}${" ".repeat(indent)}${close}`;
}

/** The formatter never puts several objects on one line. */
function breaks(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === "object" && Object.values(value as object).some(breaks);
  const objects = value.filter((item) => typeof item === "object" && Object.keys(item as object).length > 1);
  return (value.length > 1 && objects.length === value.length) || value.some(breaks);
}

function printInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printInline).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value as object).map(([key, item]) => `${printKey(key)}: ${printInline(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A property's name, quoted only where it must be. */
export function printKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** Text as a template literal: its lines stay lines. */
export function printTemplate(text: string): string {
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&")}\``;
}
