/** A value that is no tensor, for a message: strings and bigints are told from numbers, objects by their kind. */
export function describePlain(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) {
    const name: unknown = value.constructor?.name;
    return typeof name !== "string" || name === "Object" ? "an object" : `a ${name}`;
  }
  return String(value);
}
