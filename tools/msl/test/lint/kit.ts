import { join } from "node:path";
import { findCompiler, MslError, readKernelFile, Source, SourceLoader } from "../../src/index.js";
import { lintFile } from "../../src/lint/lint.js";
import { RUNTIME } from "../kit.js";

const compiler = findCompiler({ prefer: "zig" });

/** All that the lint says of a text called "test.metal"; "clean" when that is nothing. */
export async function lint(text: string): Promise<string> {
  const loader = new SourceLoader(join(RUNTIME, "msl"));
  try {
    const source = loader.add(new Source("test.metal", `#include <metal_stdlib>\nusing namespace metal;\n${text}\n`));
    const { errors } = await lintFile(readKernelFile(source, loader), loader, compiler);
    return errors.length === 0 ? "clean" : errors.map(({ message }) => message).join("\n");
  } catch (error) {
    if (error instanceof MslError) return error.message;
    throw error;
  }
}

/** As {@link lint}, for the body of a kernel that has buffers x and y, a constant n and the number of its thread i. */
export function lintBody(body: string, helpers = ""): Promise<string> {
  return lint(`${helpers}
kernel void run(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
    uint i [[thread_position_in_grid]]) {
  ${body}
}`);
}
