/** How the root scripts call turbo: without telemetry or update notice, from the repository's root. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/**
 * Runs turbo in the foreground.
 *
 * @param {string[]} args - What follows `turbo` on the command line.
 * @returns {number} The exit status; 1 when a signal ended it.
 */
export function turbo(args) {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" };
  const { error, status } = spawnSync("turbo", args, { cwd: root, env, stdio: "inherit" });
  if (error) throw error;
  return status ?? 1;
}

/**
 * Words of a root script's command line as turbo's: `norms` selects `@metile/norms`, options stay as they are.
 *
 * pnpm keeps `--filter` for itself, even behind a script's name; hence the bare names.
 *
 * @param {string[]} words
 * @returns {string[]}
 */
export function select(words) {
  return words.map((word) => (word.startsWith("-") ? word : `--filter=@metile/${word.replace(/^@metile\//, "")}`));
}

// As a command: `node scripts/turbo.mjs run build [package …]`.
if (process.argv[1] === import.meta.filename) {
  const [command, ...rest] = process.argv.slice(2);
  const [task, ...words] = rest;
  // One package has the demo and one the bench: nothing else is built for them, and what follows is theirs.
  const single = ["demo", "bench"].includes(task ?? "");
  const own = single ? [`--filter=@metile/${task}`, "--", ...words.filter((word) => word !== "--")] : select(words);
  process.exitCode = turbo(command === "run" ? ["run", task, ...own] : [command, ...rest]);
}
