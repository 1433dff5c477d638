import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { inlineIncludes, writeBindings } from "../src/index.js";
import { kernelWith, read, temporaryFolder } from "./kit.js";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

const text = `#include <metal_stdlib>
// back\`tick, \${dollar} and \\ backslash
kernel void norm_forward(device const STORAGE* source [[buffer(0)]], device const float* weight [[buffer(1)]],
  device float* output [[buffer(2)]], device atomic_uint* status [[buffer(3)]], constant ulong& source_stride [[buffer(4)]],
  constant uint& has_weight [[buffer(5)]], constant float4& scale [[buffer(6)]], constant bool& is_causal [[buffer(7)]],
  uint group [[threadgroup_position_in_grid]]) {}
kernel void a_kernel_with_a_name_that_is_too_long_for_its_method_to_fit_into_one_line(device float* x [[buffer(0)]]) {}
kernel void empty() {}
`;

function bindings(source: string): string {
  const { file, loader } = read(source);
  return writeBindings({
    family: "norms",
    runtime: "@metile/runtime/family",
    sources: { "test.metal": inlineIncludes(file.source, loader) },
    kernels: file.kernels,
  });
}

describe("the generated module", () => {
  it("types every kernel by its buffers and constants", () => {
    expect(bindings(text)).toMatchInlineSnapshot(`
      "// Written by \`metile-msl build\` from the kernels of this package: edit those.
      import { type BufferArgument, defineKernels, type LaunchShape } from "@metile/runtime/family";

      /** Buffers of \`norm_forward\` (test.metal). */
      export interface NormForwardBuffers {
        /** Read, elements of type STORAGE. */
        source: BufferArgument;
        /** Read, elements of type float. */
        weight?: BufferArgument | null | undefined;
        /** Written, elements of type float. */
        output: BufferArgument;
      }

      /** Constants of \`norm_forward\`. */
      export interface NormForwardConstants {
        sourceStride: number;
        scale: readonly [number, number, number, number];
        isCausal: boolean;
      }

      /** Buffers of \`a_kernel_with_a_name_that_is_too_long_for_its_method_to_fit_into_one_line\` (test.metal). */
      export interface AKernelWithANameThatIsTooLongForItsMethodToFitIntoOneLineBuffers {
        /** Written, elements of type float. */
        x: BufferArgument;
      }

      /** Constants of \`a_kernel_with_a_name_that_is_too_long_for_its_method_to_fit_into_one_line\`. */
      export type AKernelWithANameThatIsTooLongForItsMethodToFitIntoOneLineConstants = Record<string, never>;

      /** Buffers of \`empty\` (test.metal). */
      export type EmptyBuffers = Record<string, never>;

      /** Constants of \`empty\`. */
      export type EmptyConstants = Record<string, never>;

      /** The kernels of this package as functions. A call queues a launch and returns at once. */
      export interface Kernels {
        normForward(buffers: NormForwardBuffers, constants: NormForwardConstants, shape: LaunchShape): void;
        aKernelWithANameThatIsTooLongForItsMethodToFitIntoOneLine(
          buffers: AKernelWithANameThatIsTooLongForItsMethodToFitIntoOneLineBuffers,
          constants: AKernelWithANameThatIsTooLongForItsMethodToFitIntoOneLineConstants,
          shape: LaunchShape,
        ): void;
        empty(buffers: EmptyBuffers, constants: EmptyConstants, shape: LaunchShape): void;
      }

      /** The texts of this package, each with its includes in place, by file name. */
      export const sources = {
        "test.metal": \`#line 1 "test.metal"
      #include <metal_stdlib>
      // back\\\`tick, \\\${dollar} and \\\\ backslash
      kernel void norm_forward(device const STORAGE* source [[buffer(0)]], device const float* weight [[buffer(1)]],
        device float* output [[buffer(2)]], device atomic_uint* status [[buffer(3)]], constant ulong& source_stride [[buffer(4)]],
        constant uint& has_weight [[buffer(5)]], constant float4& scale [[buffer(6)]], constant bool& is_causal [[buffer(7)]],
        uint group [[threadgroup_position_in_grid]]) {}
      kernel void a_kernel_with_a_name_that_is_too_long_for_its_method_to_fit_into_one_line(device float* x [[buffer(0)]]) {}
      kernel void empty() {}
      \`,
      };

      export const kernels = defineKernels<Kernels>({
        family: "norms",
        artefactVersion: 2,
        directory: new URL("../cpu/", import.meta.url),
        sources,
        kernels: [
          {
            name: "norm_forward",
            macros: ["STORAGE"],
            buffers: [
              { name: "source", index: 0, element: "STORAGE", access: "read", optional: false },
              { name: "weight", index: 1, element: "float", access: "read", optional: true },
              { name: "output", index: 2, element: "float", access: "write", optional: false },
              { name: "status", index: 3, element: "atomic_uint", access: "write", optional: false },
            ],
            constants: [
              { name: "source_stride", index: 4, type: "ulong" },
              { name: "has_weight", index: 5, type: "uint", automatic: "weight" },
              { name: "scale", index: 6, type: "float4" },
              { name: "is_causal", index: 7, type: "bool" },
            ],
            threadgroup: [],
            attributes: [{ name: "group", type: "uint", attribute: "threadgroup_position_in_grid" }],
            line: 3,
            file: "test.metal",
          },
          {
            name: "a_kernel_with_a_name_that_is_too_long_for_its_method_to_fit_into_one_line",
            macros: [],
            buffers: [{ name: "x", index: 0, element: "float", access: "write", optional: false }],
            constants: [],
            threadgroup: [],
            attributes: [],
            line: 7,
            file: "test.metal",
          },
          {
            name: "empty",
            macros: [],
            buffers: [],
            constants: [],
            threadgroup: [],
            attributes: [],
            line: 8,
            file: "test.metal",
          },
        ],
      });
      "
    `);
  });

  it("is what the formatter and the linter want", () => {
    const folder = temporaryFolder({
      "index.ts": bindings(text),
      "one.ts": bindings(kernelWith("device half* x [[buffer(0)]]")),
    });
    const biome = join(REPOSITORY, "node_modules", ".bin", "biome");
    const parameters = ["check", `--config-path=${REPOSITORY}`, "--vcs-enabled=false", folder];
    expect(() => execFileSync(biome, parameters, { stdio: "pipe", encoding: "utf8" })).not.toThrow();
  });

  it("is right to the type checker, which knows a wrong buffer and a missing constant", () => {
    const uses = `import { kernels } from "./index.js";
      import type { BufferArgument } from "./family.js";
      declare const b: BufferArgument;
      const constants = { sourceStride: 1, scale: [1, 2, 3, 4], isCausal: true } as const;
      kernels.normForward({ source: b, output: b }, constants, { groups: 1 });
      kernels.normForward({ source: b, weight: null, output: b }, constants, { groups: 1 });
      kernels.empty({}, {}, { groups: 1 });
      // @ts-expect-error wrong name
      kernels.normForward({ source: b, output: b, bias: b }, constants, { groups: 1 });
      // @ts-expect-error missing buffer
      kernels.normForward({ source: b }, constants, { groups: 1 });
      // @ts-expect-error missing constants
      kernels.normForward({ source: b, output: b }, { sourceStride: 1 }, { groups: 1 });
      // @ts-expect-error status words are bound by the runtime
      kernels.normForward({ source: b, output: b, status: b }, constants, { groups: 1 });
      // @ts-expect-error three lanes of four
      kernels.normForward({ source: b, output: b }, { ...constants, scale: [1, 2, 3] }, { groups: 1 });`;
    const family = `export interface BufferArgument { storage: object; byteOffset: number; dtype: string }
      export interface LaunchShape { groups: number }
      export declare function defineKernels<K>(descriptor: { family: string; artefactVersion: number; directory: URL;
        sources: Record<string, string>; kernels: readonly object[] }): K;
      declare global {
        class URL { constructor(path: string, base: string) }
        interface ImportMeta { url: string }
      }`;
    const module = bindings(text).replace("@metile/runtime/family", "./family.js");
    const folder = temporaryFolder({ "index.ts": module, "family.ts": family, "uses.ts": uses });
    const compilerOptions = {
      module: "NodeNext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      lib: ["ES2022"],
      types: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    expect(execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" })).toBe("");
  }, 120_000);

  it("holds the text unharmed", async () => {
    const module = bindings(text).replace(/^import.*$/m, "const defineKernels = (it) => it;");
    const javascript = module
      .replace(/^export interface [\s\S]*?^}$/gm, "")
      .replace(/^export type .*$/gm, "")
      .replace("<Kernels>", "");
    const folder = temporaryFolder({ "index.mjs": javascript });
    const { kernels } = (await import(join(folder, "index.mjs"))) as {
      kernels: { sources: Record<string, string>; kernels: unknown; directory: URL };
    };
    const { file, loader } = read(text);
    expect(kernels.sources["test.metal"]).toBe(inlineIncludes(file.source, loader));
    expect(kernels.kernels).toEqual(file.kernels);
    expect(kernels.directory.href).toBe(new URL("../cpu/", `file://${folder}/index.mjs`).href);
  });
});
