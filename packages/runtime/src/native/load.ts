import { createRequire } from "node:module";
import { DeviceError } from "../errors/index.js";
import { ARTEFACT_VERSION, type NativeBinding } from "./types.js";

const require = createRequire(import.meta.url);
const supported = ["linux-x64", "linux-arm64", "darwin-arm64"];

/** "glibc", "musl" or undefined off Linux, from Node's own report. */
export function libc(): "glibc" | "musl" | undefined {
  if (process.platform !== "linux") return undefined;
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/** Where this Node runs, in one line. */
export function describePlatform(): string {
  const library = libc();
  const parts = [
    process.platform,
    process.arch,
    library === undefined ? undefined : `libc ${library}`,
    `Node ${process.version}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

function hintFor(target: string, missing: boolean): string {
  const name = `@metile/runtime-${target}`;
  if (target === "darwin-x64")
    return "There is no build for x64 on macOS: on Apple silicon install the arm64 build of Node (this one runs under Rosetta).";
  if (libc() === "musl")
    return `${name} is built for glibc: use a glibc based image (node:20-slim) in place of one with musl (node:20-alpine).`;
  if (!supported.includes(target)) return `There are builds for ${supported.join(", ")}.`;
  if (!missing)
    return `Is the system older than what ${name} needs (glibc 2.28), or the package damaged? Then: npm install ${name}`;
  return (
    `Install it with: npm install ${name} (lockfiles made on another platform and --omit=optional leave it out; ` +
    "then: rm -rf node_modules package-lock.json && npm install)."
  );
}

let loaded: NativeBinding | undefined;

/** The addon of this platform. Loading touches no GPU. */
export function loadBinding(): NativeBinding {
  if (loaded !== undefined) return loaded;
  const target = `${process.platform}-${process.arch}`;
  const name = `@metile/runtime-${target}`;
  const own = process.env.METILE_ADDON || undefined;
  let binding: NativeBinding;
  try {
    binding = require(own ?? name) as NativeBinding;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const missing = code === "MODULE_NOT_FOUND";
    throw new DeviceError({
      operation: "@metile/runtime",
      argument: own === undefined ? undefined : "METILE_ADDON",
      expected: `the native addon ${own ?? name} for ${describePlatform()}`,
      received: !missing ? message : own === undefined ? "no such package, or one without its addon" : "no such file",
      hint: own === undefined ? hintFor(target, missing) : "Unset METILE_ADDON to use the installed package.",
      cause,
    });
  }
  if (binding.artefactVersion !== ARTEFACT_VERSION) {
    throw new DeviceError({
      operation: "@metile/runtime",
      expected: `${name} with artefact version ${ARTEFACT_VERSION}`,
      received: `version ${binding.artefactVersion}`,
      hint: `Install the same version of @metile/runtime and ${name}.`,
    });
  }
  loaded = binding;
  return binding;
}
