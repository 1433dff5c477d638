import { tests } from "@metile/config/vitest";

export default tests({
  globalSetup: ["./src/setup.ts"],
  // Installs wait for disks and, for other versions of Node, for a download.
  testTimeout: 240_000,
  hookTimeout: 240_000,
});
