import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "./packages.js";

/** What the darwin-arm64 addon needs to find Metal on Linux. */
export interface MetalEnvironment {
  readonly environment: Record<string, string>;
}

interface StandinModule {
  standinEnvironment(options: { target: string; server: readonly string[] }): Record<string, string>;
}

/**
 * The stand-in for Metal, made for linux-arm64. Its compile server is a program of this machine, not of arm64: qemu leaves
 * such programs to the kernel.
 *
 * @returns the environment, or why there is none
 */
export async function prepareMetal(addon: string): Promise<MetalEnvironment | { readonly reason: string }> {
  if (!readFileSync(addon).includes("MTLCreateSystemDefaultDevice")) return { reason: "the addon has no Metal" };
  const standin = join(workspace, "tools", "standin");
  const entry = join(standin, "dist", "index.js");
  const server = join(workspace, "tools", "emulator", "dist", "server.js");
  if (!existsSync(entry)) return { reason: "there is no stand-in for Metal: tools/standin" };
  if (!existsSync(server)) return { reason: "there is no compile server: tools/emulator" };
  const target = "linux-arm64";
  execFileSync(process.execPath, [join(standin, "scripts", "build-native.mjs"), "--target", target], { stdio: "pipe" });
  const { standinEnvironment } = (await import(entry)) as StandinModule;
  const environment = standinEnvironment({ target, server: [process.execPath, server, "--target", target] });
  return { environment: { ...environment, METILE_DEVICE: "metal" } };
}
