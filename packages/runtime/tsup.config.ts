import { readFileSync } from "node:fs";
import { library } from "@metile/config/tsup";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

export default library({
  entry: {
    index: "src/index.ts",
    family: "src/family.ts",
    testing: "src/testing.ts",
    cli: "src/cli.ts",
    "doctor-worker": "src/doctor/worker.ts",
  },
  // A bundled application has no package.json of ours beside it to read the version from.
  define: { METILE_VERSION: JSON.stringify(version) },
  // Kernels made at run time are built by the same code as the package's own, so it travels inside.
  noExternal: ["@metile/compiler", "@metile/msl"],
  // Symbol.dispose is declared by Node's types or by this library of TypeScript's.
  dts: { resolve: ["@metile/compiler", "@metile/msl"], banner: '/// <reference lib="esnext.disposable" />' },
});
