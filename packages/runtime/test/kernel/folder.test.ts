import { expect, it } from "vitest";
import { packageFolderOf } from "../../src/kernel/folder.js";

it.each([
  [
    "file:///home/me/app/node_modules/@metile/runtime/dist/index.js",
    "file:///home/me/app/node_modules/@metile/runtime/",
  ],
  ["file:///checkout/packages/runtime/src/kernel/folder.ts", "file:///checkout/packages/runtime/"],
  [
    "file:///me/src/kernel/node_modules/@metile/runtime/dist/index.js",
    "file:///me/src/kernel/node_modules/@metile/runtime/",
  ],
])("the package of %s is in %s", (module, folder) => {
  expect(packageFolderOf(module).href).toBe(folder);
});
