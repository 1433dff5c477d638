import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Text and where it is from. */
export interface Prose {
  readonly text: string;
  /** "README.md and 11 more files". */
  readonly from: string;
}

/** Characters past this are left out: more text would not make more of a demonstration. */
const longest = 2 ** 20;

/** Markdown files of a folder and those below it, but not of installed packages. */
function markdown(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.split(sep).includes("node_modules"))
    .map((path) => join(folder, path))
    .sort();
}

/** The repository's own prose: the root's README and CONTRIBUTING, the documentation, the packages' READMEs. */
export function repositoryProse(root: string): Prose {
  const packages = join(root, "packages");
  const files = [
    join(root, "README.md"),
    join(root, "CONTRIBUTING.md"),
    ...markdown(join(root, "docs")),
    ...readdirSync(packages)
      .sort()
      .map((name) => join(packages, name, "README.md")),
  ].filter((file) => existsSync(file));
  if (files.length === 0) throw new Error(`expected prose (README.md and the like) in ${root}, found none.`);
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const first = relative(root, files[0] as string);
  return {
    text: text.slice(0, longest),
    from: files.length === 1 ? first : `${first} and ${files.length - 1} more files`,
  };
}

/**
 * The text of one file.
 *
 * @throws Error when there is no such file, or nothing in it
 */
export function fileProse(path: string): Prose {
  const text = readFileSync(path, "utf8").slice(0, longest);
  if (text.trim() === "") throw new Error(`expected text in ${path}, found none.`);
  return { text, from: path };
}
