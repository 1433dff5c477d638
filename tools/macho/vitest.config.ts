import { tests } from "@metile/config/vitest";

// Under qemu everything takes some twenty times as long.
export default tests({ testTimeout: 120_000, hookTimeout: 300_000 });
