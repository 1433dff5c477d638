import { homedir } from "node:os";
import type { Detail } from "./types.js";

/** An absolute path, or one below the home folder: at the start or after what cannot be part of a relative one. */
const path = /(^|[\s"'(=,;:])(?:file:\/\/)?(?:~|[A-Za-z]:)?[\\/](?:[^\s"'():;,]+[\\/])+([^\s"'():;,\\/]*)/g;

function shorten(whole: string, before: string, name: string): string {
  const [, inside] = /.*node_modules[\\/](.+)$/.exec(whole) ?? [];
  return `${before}${inside ?? (name === "" ? "…" : `…/${name}`)}`;
}

/** A text without the folders of whoever ran it: packages by name, anything else by the last part of its path. */
export function redactText(text: string, home: string = homedir()): string {
  const withoutHome = home.length > 1 ? text.replaceAll(home, "~") : text;
  return withoutHome.replace(path, shorten);
}

/** All texts of a report, redacted. */
export function redact(detail: Detail, home?: string): Detail {
  if (typeof detail === "string") return redactText(detail, home);
  if (Array.isArray(detail)) return detail.map((item: Detail) => redact(item, home));
  if (typeof detail !== "object" || detail === null) return detail;
  return Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, redact(value, home)]));
}
