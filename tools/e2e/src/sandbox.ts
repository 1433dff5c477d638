import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { attempt, type Finished, run } from "./run.js";

/** A user's empty project on a machine without compilers. */
export interface Sandbox {
  /** The project's folder, outside the workspace. */
  readonly project: string;
  /** Installs packages with scripts off. */
  install(manager: "npm" | "pnpm", packages: string[]): Promise<void>;
  /** Runs an ECMAScript module in the project. */
  script(source: string): Promise<Finished>;
  /** Runs a command by name, with the sandbox's PATH and further variables. */
  command(name: string, args: string[], variables?: Record<string, string>): Promise<Finished>;
  remove(): Promise<void>;
}

/** Finds a command on this process's PATH, links followed. */
async function locate(name: string): Promise<string> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const found = await realpath(join(folder, name)).catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(`expected ${name} on PATH`);
}

/**
 * Makes an empty project whose PATH holds node, npm, npx, pnpm and sh, and nothing else: no compiler, no python, no make.
 *
 * @param origin - The registry of the `@metile` packages; no other registry is named.
 * @param node - The Node executable that everything in the sandbox runs on.
 */
export async function createSandbox(origin: string, node: string): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), "metile-project-"));
  const project = join(folder, "project");
  const commands = join(folder, "bin");
  for (const made of [project, commands]) await mkdir(made);
  await symlink(node, join(commands, "node"));
  for (const name of ["npm", "npx", "pnpm", "sh"]) await symlink(await locate(name), join(commands, name));
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  await writeFile(join(project, ".npmrc"), `registry=${origin}/\n`);
  // Nothing is inherited: what this process's environment adds, a user's machine would lack.
  const environment = {
    PATH: commands,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_DATA_HOME: join(folder, "data"),
    npm_config_cache: join(folder, "npm"),
    npm_config_update_notifier: "false",
  };
  const options = { directory: project, environment };
  return {
    project,
    async install(manager, packages) {
      const quiet = manager === "npm" ? ["--no-audit", "--no-fund"] : [];
      const verb = manager === "npm" ? "install" : "add";
      await run(join(commands, manager), [verb, "--ignore-scripts", ...quiet, ...packages], options);
    },
    async script(source) {
      await writeFile(join(project, "program.js"), source);
      return attempt(join(commands, "node"), ["program.js"], options);
    },
    command: (name, args, variables) =>
      attempt(name, args, { directory: project, environment: { ...environment, ...variables } }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
