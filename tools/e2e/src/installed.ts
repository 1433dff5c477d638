import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

/**
 * Every copy of a package below a project, links resolved: npm nests copies, pnpm keeps them in `.pnpm`.
 *
 * @param project - Folder with a `node_modules`.
 * @param name - Such as `@metile/runtime`.
 */
export function copiesOf(project: string, name: string): string[] {
  const copies = new Set<string>();
  const visit = (modules: string): void => {
    if (!existsSync(modules)) return;
    const found = join(modules, name);
    if (existsSync(found)) copies.add(realpathSync(found));
    for (const entry of readdirSync(modules, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === ".bin") continue;
      const folder = join(modules, entry.name);
      if (entry.name === ".pnpm") for (const store of readdirSync(folder)) visit(join(folder, store, "node_modules"));
      else if (entry.name.startsWith("@"))
        for (const scoped of readdirSync(folder)) visit(join(folder, scoped, "node_modules"));
      else visit(join(folder, "node_modules"));
    }
  };
  visit(join(project, "node_modules"));
  return [...copies];
}
