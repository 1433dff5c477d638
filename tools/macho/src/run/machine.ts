import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { arm64Node } from "./node.js";

/** What runs programs for linux-arm64 here. */
export interface Machine {
  /** Command line before a program's own arguments: qemu, if it is needed, and Node. */
  readonly command: readonly string[];
}

const SYSROOT = "/usr/aarch64-linux-gnu";
const PACKAGES = ["qemu-user-static", "libc6-arm64-cross", "libstdc++6-arm64-cross"];
const QEMU = ["qemu-aarch64-static", "qemu-aarch64"];

/**
 * Finds or installs what runs Node for linux-arm64: nothing on such a machine itself; on other Linux machines qemu in user
 * mode and arm64's C library, from Debian or Ubuntu, as root.
 *
 * @returns the machine, or why there is none
 */
export async function findMachine(): Promise<Machine | { readonly reason: string }> {
  if (process.platform !== "linux")
    return { reason: `qemu runs programs of Linux on Linux alone; this is ${process.platform}` };
  if (process.arch === "arm64") return { command: [process.execPath] };
  let qemu = installed();
  if (qemu === null) {
    const failure = install();
    if (failure !== null) return { reason: failure };
    qemu = installed();
    if (qemu === null) return { reason: `after installing ${PACKAGES.join(", ")} there is still no qemu` };
  }
  return { command: [qemu, "-L", SYSROOT, await arm64Node()] };
}

function installed(): string | null {
  if (!["ld-linux-aarch64.so.1", "libstdc++.so.6"].every((file) => existsSync(`${SYSROOT}/lib/${file}`))) return null;
  return QEMU.find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;
}

function install(): string | null {
  const wanted = `${PACKAGES.join(", ")} are missing`;
  if (process.getuid?.() !== 0) return `${wanted}, and only root may install them`;
  for (const parameters of [["update"], ["install", "-y", "--no-install-recommends", ...PACKAGES]]) {
    const { status, error, stderr } = spawnSync("apt-get", parameters, {
      encoding: "utf8",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (error !== undefined) return `${wanted}, and apt-get is not there`;
    if (status !== 0) return `${wanted}, and apt-get ${parameters[0]} failed: ${stderr.trim().split("\n").at(-1)}`;
  }
  return null;
}
