import { tests } from "@metile/config/vitest";

// Under qemu everything takes some twenty times as long. One file at a time: two would install qemu and build the loader at
// once.
export default tests({ testTimeout: 120_000, hookTimeout: 300_000, fileParallelism: false });
