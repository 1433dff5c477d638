import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileProse, repositoryProse } from "./prose.js";

const root = mkdtempSync(join(tmpdir(), "metile-prose-"));
afterAll(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

it("reads a repository's READMEs and documentation, and nothing that is installed or is no prose", () => {
  put("README.md", "root");
  put("docs/guide/start.md", "guide");
  put("docs/node_modules/other/README.md", "installed");
  put("docs/figure.svg", "<svg>");
  put("packages/b/README.md", "b");
  put("packages/a/README.md", "a");
  put("packages/c/package.json", "{}");
  expect(repositoryProse(root)).toEqual({ text: "root\nguide\na\nb", from: "README.md and 3 more files" });
});

it("reads one file, at most a mebi of characters of it", () => {
  put("long.txt", "x".repeat(2 ** 20 + 5));
  expect(fileProse(join(root, "long.txt")).text).toHaveLength(2 ** 20);
});

it("refuses a file without text, and one that is not there", () => {
  put("empty.txt", " \n");
  expect(() => fileProse(join(root, "empty.txt"))).toThrowError("expected text in");
  expect(() => fileProse(join(root, "none.txt"))).toThrowError("ENOENT");
});
