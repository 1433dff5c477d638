import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCompiler } from "../../src/index.js";
import { lintPackage } from "../../src/lint/lint.js";
import { RUNTIME } from "../kit.js";

const PACKAGES = join(RUNTIME, "..");

const compiler = findCompiler({ prefer: "zig" });

const packages = readdirSync(PACKAGES).filter((name) => {
  const sources = join(PACKAGES, name, "src");
  return (
    existsSync(sources) && readdirSync(sources, { recursive: true }).some((file) => String(file).endsWith(".metal"))
  );
});

describe("the kernels of this repository are clean", () => {
  it.each(packages)("%s", { timeout: 300_000 }, async (name) => {
    const { views, errors } = await lintPackage({ folder: join(PACKAGES, name), runtime: RUNTIME, compiler });
    expect(errors.map(({ message }) => message)).toEqual([]);
    expect(views).toBeGreaterThan(0);
  });
  it("the runtime's are among them", () => {
    expect(packages).toContain("runtime");
  });
});
