import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { standinEnvironment } from "@metile/standin";
import { workspace } from "./packages.js";

/** What the darwin-arm64 addon needs to find Metal on Linux. */
export interface MetalEnvironment {
  readonly environment: Record<string, string>;
}

/**
 * The stand-in for Metal, made for linux-arm64. Its compile server is a program of this machine, not of arm64: qemu leaves
 * such programs to the kernel.
 *
 * @returns the environment, or why there is none
 */
export function prepareMetal(addon: string): MetalEnvironment | { readonly reason: string } {
  if (!readFileSync(addon).includes("MTLCreateSystemDefaultDevice")) return { reason: "the addon has no Metal" };
  const server = join(workspace, "tools", "emulator", "dist", "server.js");
  if (!existsSync(server)) return { reason: "there is no compile server: tools/emulator" };
  const target = "linux-arm64";
  const build = join(workspace, "tools", "standin", "scripts", "build-native.mjs");
  execFileSync(process.execPath, [build, "--target", target], { stdio: "pipe" });
  return { environment: standinEnvironment({ target, server: [process.execPath, server, "--target", target] }) };
}
