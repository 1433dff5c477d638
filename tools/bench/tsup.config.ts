import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { library } from "@metile/config/tsup";

/** What a single file carries inside: Python scripts, and the texts of kernels for the tuner. */
function assets(): Record<string, string> {
  const norms = "../../packages/norms/src";
  const kernels = readdirSync(norms, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".metal"))
    .map((file) => `${norms}/${file}`);
  const scripts = readdirSync("python")
    .filter((file) => file.endsWith(".py"))
    .map((file) => `python/${file}`);
  return Object.fromEntries([...kernels, ...scripts].map((file) => [basename(file), readFileSync(file, "utf8")]));
}

export default library({
  // standalone.js is for machines without this repository: one file that needs @metile/runtime and @metile/norms alone.
  entry: { index: "src/index.ts", cli: "src/cli.ts", standalone: "src/cli.ts" },
  dts: { entry: "src/index.ts" },
  splitting: false,
  define: { METILE_BENCH_ASSETS: JSON.stringify(assets()) },
});
