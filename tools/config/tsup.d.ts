import type { Options } from "tsup";

/**
 * tsup options of every package: ECMAScript modules, declarations and source maps in `dist/`.
 *
 * @param overrides - Options that replace the preset's, such as `entry`; the default entry is `src/index.ts`.
 * @example
 * export default library({ entry: ["src/index.ts", "src/cli.ts"] });
 */
export declare function library(overrides?: Options): Options;
