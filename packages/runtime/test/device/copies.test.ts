import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { evaluate, packageFolder, reportErrors } from "../support/process.js";

const addon = `runtime-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), "metile-copies-"));

const current = (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version;

/** Installs the built package with an addon of its own, as npm does for a dependency's dependency. */
function install(name: string, version?: string): void {
  const place = join(folder, name, "node_modules/@metile");
  for (const part of ["dist", "cpu", "cuda", "msl", "targets", "package.json"])
    if (existsSync(join(packageFolder, part)))
      cpSync(join(packageFolder, part), join(place, "runtime", part), { recursive: true });
  cpSync(join(packageFolder, "npm", addon.slice("runtime-".length)), join(place, addon), { recursive: true });
  if (version === undefined) return;
  // The version is in the manifest and, since bundlers take the manifest away, in the built text.
  const runtime = join(place, "runtime");
  const files = ["package.json", ...readdirSync(join(runtime, "dist")).map((file) => join("dist", file))].filter(
    (file) => /\.js(on)?$/.test(file),
  );
  for (const file of files) {
    const text = readFileSync(join(runtime, file), "utf8");
    writeFileSync(join(runtime, file), text.replaceAll(`"${current}"`, `"${version}"`));
  }
}

const copy = (name: string): string => `./${name}/node_modules/@metile/runtime/dist/index.js`;

beforeAll(() => {
  install("one");
  install("two");
  install("other", "99.0.0");
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const both = `
import * as one from "${copy("one")}";
import * as two from "${copy("two")}";
${reportErrors}
`;

it("two copies of one version share devices, and use each other's tensors", async () => {
  const seen = await evaluate<unknown[]>(
    `${both}
    const made = one.tensor([[1, 2], [3, 4]]);
    const seen = [one.Tensor === two.Tensor, one.device() === two.device(), made instanceof two.Tensor];
    const theirs = two.tensor([5, 6, 7, 8], [2, 2]);
    seen.push(theirs.device === made.device, Array.from(theirs.transpose().dataSync()));
    const before = two.device().memory.storages;
    made.dispose();
    seen.push(before - one.device().memory.storages);
    console.log(JSON.stringify(seen));`,
    { folder },
  );
  expect(seen).toEqual([false, true, true, true, [5, 7, 6, 8], 1]);
});

it("a scope of one copy disposes of what the other makes in it, after an await too", async () => {
  const seen = await evaluate<boolean[]>(
    `${both}
    const made = [];
    one.scope(() => { made.push(two.tensor([1])); });
    await two.scope(async () => {
      made.push(one.tensor([1]));
      await new Promise((resolve) => setTimeout(resolve, 1));
      made.push(one.tensor([1]), two.tensor([1]));
    });
    console.log(JSON.stringify(made.map((each) => each.disposed)));`,
    { folder },
  );
  expect(seen).toEqual([true, true, true, true]);
});

it("a failure keeps its operation's name when the other copy reads it", async () => {
  const seen = await evaluate<string[]>(
    `${both}
    const define = (runtime, name) => runtime.definePair({
      contract: {
        name, family: "test", summary: "", formula: "", gradients: {}, source: "",
        inputs: { source: { shape: "(…)", differentiable: true, dtypes: ["float32"], summary: "" } },
        outputs: { output: { shape: "(…)", summary: "" } },
        options: {}, bounds: {}, determinism: "bitwise", tolerances: {},
      },
      forward: ({ inputs }) => ({ outputs: { output: inputs.source.cast("int32") }, save: {}, state: null }),
      backward: ({ cotangents }) => ({ source: cotangents.output.clone() }),
    });
    const pairs = [define(one, "alpha"), define(two, "beta"), define(one, "gamma")];
    const seen = pairs.map((pair, index) => {
      one.device().native.injectFault("injected");
      const failed = pair(one.tensor([1]));
      // A pair's output is a tensor of the pair's copy; the other copy reads its copy of it.
      const copied = (index === 1 ? define(one, "reader") : define(two, "reader"))(failed.cast("float32"));
      return report(() => copied.dataSync()).operation;
    });
    console.log(JSON.stringify(seen));`,
    { folder },
  );
  expect(seen).toEqual(["alpha", "beta", "gamma"]);
});

it("two versions are refused, with both versions and both places, at first use of the second", async () => {
  const seen = await evaluate<{ name: string; message: string }[]>(
    `import * as one from "${copy("one")}";
    import * as other from "${copy("other")}";
    ${reportErrors}
    one.tensor([1]);
    console.log(JSON.stringify([report(() => other.tensor([1])), report(() => other.device("cpu"))]));`,
    { folder },
  );
  for (const { name, message } of seen) {
    expect(name).toBe("DeviceError");
    for (const part of [current, "99.0.0", "/one/node_modules/", "/other/node_modules/"])
      expect(message).toContain(part);
  }
});
