import { spawnSync } from "node:child_process";

const tool = "nvidia-smi";

/** The version of NVIDIA's driver, by its own tool; undefined where that is not there. */
export function nvidiaDriver(): string | undefined {
  const { status, stdout } = spawnSync(tool, ["--query-gpu=driver_version", "--format=csv,noheader"], {
    encoding: "utf8",
    timeout: 10_000,
  });
  return status === 0 ? stdout.trim().split("\n")[0]?.trim() : undefined;
}
