import { beforeAll, describe, expect, inject, test } from "vitest";
import type { PackageDocument, PublishedManifest } from "./registry.js";
import { readTarball } from "./tarball.js";

const platforms = ["linux-x64", "linux-arm64", "darwin-arm64"].map((target) => `@metile/runtime-${target}`);
const families = ["norms", "activations", "rope", "losses", "attention", "projections", "vjp", "parity"].map(
  (name) => `@metile/${name}`,
);
const all = ["@metile/runtime", ...platforms, ...families].sort();

type Dependencies = Record<string, string>;
const manifests = new Map<string, PublishedManifest>();
const contents = new Map<string, Map<string, Buffer>>();

const manifestOf = (name: string): PublishedManifest => manifests.get(name) as PublishedManifest;
const filesOf = (name: string): string[] => [...(contents.get(name)?.keys() ?? [])];

beforeAll(async () => {
  const documents = (await (await fetch(`${inject("origin")}/-/all`)).json()) as Record<string, PackageDocument>;
  for (const [name, document] of Object.entries(documents)) {
    const manifest = document.versions[document["dist-tags"].latest ?? ""] as PublishedManifest;
    manifests.set(name, manifest);
    const tarball = await fetch(manifest.dist.tarball);
    contents.set(name, readTarball(Buffer.from(await tarball.arrayBuffer())));
  }
});

test("the public packages are published, and no private one is", () => {
  expect([...manifests.keys()].sort()).toEqual(all);
});

describe.each(all)("%s", (name) => {
  test("runs nothing when it is installed", () => {
    const scripts = Object.keys((manifestOf(name).scripts ?? {}) as Dependencies);
    expect(scripts.filter((script) => /^(pre|post)?(install|prepare)$/.test(script))).toEqual([]);
    // Package managers run node-gyp by themselves where a gyp file lies at the root.
    expect(filesOf(name).filter((file) => file.endsWith(".gyp"))).toEqual([]);
  });

  test("names versions that exist outside the workspace, and no private package", () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifestOf(name) as {
      [field: string]: Dependencies | undefined;
    };
    const named = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    for (const [dependency, range] of Object.entries(named)) {
      expect(all).toContain(dependency);
      expect(range).not.toMatch(/^(workspace|catalog|link|file):/);
    }
  });

  test("has a licence and a readme, and no test or source of a test", () => {
    expect(filesOf(name)).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE"]));
    expect(filesOf(name).filter((file) => /\.test\.|\.bench\.|tsconfig|node_modules/.test(file))).toEqual([]);
  });
});

test.each(families)("%s takes the runtime as a peer and brings none of its own", (name) => {
  const { dependencies = {}, peerDependencies } = manifestOf(name);
  expect(dependencies).toEqual({});
  expect(peerDependencies).toEqual({ "@metile/runtime": ">=0.1.0 <1" });
});

test("the runtime names its platform packages at exactly its own version", () => {
  const { version, optionalDependencies } = manifestOf("@metile/runtime");
  expect(optionalDependencies).toEqual(Object.fromEntries(platforms.map((name) => [name, version])));
});

test("this platform's package carries the addon", () => {
  expect(filesOf(`@metile/runtime-${process.platform}-${process.arch}`)).toContain("metile_runtime.node");
});

test("norms carries CPU libraries for this platform", () => {
  const libraries = filesOf("@metile/norms").filter((file) =>
    file.startsWith(`cpu/norms-${process.platform}-${process.arch}`),
  );
  expect(libraries.length).toBeGreaterThan(0);
});
