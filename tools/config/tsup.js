/**
 * tsup options of every package: ECMAScript modules, declarations and source maps in `dist/`.
 *
 * There is no CommonJS build: two copies of a module would mean two default devices in one process.
 */
export const library = (overrides = {}) => ({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: true,
  sourcemap: true,
  clean: true,
  // The default strips `node:`, and some built-in modules exist only with it.
  removeNodeProtocol: false,
  ...overrides,
});
