// Turns the fact tables into C++: the methods of Apple's classes as they are documented, and the values of their enums.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `facts.inc` (messages) and `values.h` (enums) into a folder. */
export function writeFacts(facts, output) {
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, "facts.inc"), messages(readTable(join(facts, "selectors.tsv"))));
  writeFileSync(join(output, "values.h"), values(readTable(join(facts, "enums.tsv"))));
}

/** Rows of a table with a line of headings, each as an object by heading. */
export function readTable(path) {
  const [headings, ...rows] = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  return rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? ""])));
}

function messages(rows) {
  const lines = rows
    .filter(({ owner_kind }) => owner_kind !== "function")
    .map(({ owner, owner_kind, method_kind, selector, type_encoding, result_ownership, macos_since }) => {
      const texts = [owner, selector, type_encoding].map((text) => JSON.stringify(text)).join(", ");
      const created = result_ownership.startsWith("+1");
      return `{${texts}, '${method_kind}', ${owner_kind === "protocol"}, ${created}, ${version(macos_since)}},`;
    });
  return `${lines.join("\n")}\n`;
}

/** "10.11" as 1011; "<=11.0" is older than every system that may be pretended. */
function version(text) {
  const [major = "0", minor = "0"] = text.replace("<=", "").split(".");
  return Number(major) * 100 + Number(minor);
}

function values(rows) {
  const lines = rows
    .filter(({ kind }) => kind === "enum" || kind === "options" || kind === "constant")
    .map(({ base_type, name, value }) => {
      const type = base_type === "NSInteger" ? "long" : "unsigned long";
      return `constexpr ${type} ${name} = ${value}${type === "long" ? "l" : "ul"};`;
    });
  return `#pragma once\n\nnamespace standin {\n${lines.join("\n")}\n}  // namespace standin\n`;
}
