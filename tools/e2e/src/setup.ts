import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startRegistry } from "./registry.js";
import { plainEnvironment, run } from "./run.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the registry that holds the published packages listens. */
    origin: string;
  }
}

const workspace = join(import.meta.dirname, "../../..");

/** Publishes every public package, as a release does, to a registry of this run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const registry = await startRegistry();
  const folder = await mkdtemp(join(tmpdir(), "metile-publish-"));
  const configuration = join(folder, ".npmrc");
  await writeFile(configuration, `${registry.origin.replace("http:", "")}/:_authToken=rehearsal\n`);
  const environment = { ...plainEnvironment(), npm_config_userconfig: configuration };
  await run("pnpm", ["-r", "publish", "--no-git-checks", "--registry", `${registry.origin}/`], {
    directory: workspace,
    environment,
  });
  await rm(folder, { recursive: true, force: true });
  project.provide("origin", registry.origin);
  return () => registry.close();
}
