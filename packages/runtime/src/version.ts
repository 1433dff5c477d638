import { readFileSync } from "node:fs";

/** Written in by the build. */
declare const METILE_VERSION: string | undefined;

function fromPackage(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** The version of this runtime. */
export const version: string = typeof METILE_VERSION === "string" ? METILE_VERSION : fromPackage();
