import { describe, expect, it } from "vitest";
import { readKernelFile, writeCuda } from "../../src/index.js";
import { type GpuMacros, gpuVariants, LAUNCH_MACROS } from "../../src/lint/macros.js";
import { complaintsOf, hasFrontEnd, type Inlined, selfTests, shippedTexts } from "./kit.js";

/**
 * Macros of a text: every variant of types and every setting of launchers, each with one of the others; all products with
 * METILE_ALL_VARIANTS=1 (600 runs of a compiler).
 */
function macrosOf({ source, loader }: Inlined): GpuMacros[] {
  const file = readKernelFile(source, loader);
  const types = gpuVariants(file);
  const undecided = Object.fromEntries(file.typeMacros.map(({ name }) => [name, "float"]));
  const all = types.flatMap((type, row) =>
    LAUNCH_MACROS.map((launch, column) => ({ row, column, macros: { ...undecided, ...type, ...launch } })),
  );
  const every = process.env.METILE_ALL_VARIANTS === "1";
  const chosen = all.filter(
    ({ row, column }) => every || row % LAUNCH_MACROS.length === column || (row === 0 && column >= types.length),
  );
  return chosen.map(({ macros }) => ({ ...macros, METILE_THREADS: macros.ROW_THREADS as string }));
}

const texts = shippedTexts();

describe.skipIf(!hasFrontEnd)("clang's CUDA front end accepts", () => {
  it.each(texts.map((text) => [text.name, text] as const))("%s", { timeout: 600_000 }, async (name, text) => {
    const cuda = writeCuda(text.text, name);
    const variants = macrosOf(text);
    for (const macros of variants) {
      expect([macros, await complaintsOf(cuda.text, macros)]).toEqual([macros, ""]);
    }
    expect(variants.length).toBeGreaterThanOrEqual(LAUNCH_MACROS.length);
  });

  it.each(selfTests().map((text) => [text.name, text] as const))("%s", async (name, text) => {
    const macros = { STORAGE: "half", ROW_PACK: "8", METILE_THREADS: "40" };
    expect(await complaintsOf(writeCuda(text.text, name).text, macros)).toBe("");
  });

  it("names that CUDA or the prelude have, functions without METAL_FUNC, memory of every type", async () => {
    const text = `#include <metal_stdlib>
using namespace metal;
namespace detail { float twice(float x) { return 2.0f * x; } }
struct Extent { uint dim3; };
constant uint PRIMES[3] = {2, 3, 5};
constant constexpr uint COUNT = 3;
template <typename T> T entries(T warpSize) { return warpSize + T(1); }
inline float max(Extent a, Extent b) { return float(metal::max(a.dim3, b.dim3)); }
kernel void f(device float* blockDim [[buffer(0)]], constant uint& cuda [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup half halves[32];
  threadgroup float4 vectors[8], more[COUNT];
  threadgroup atomic_uint count;
  const Extent threadIdx = {cuda};
  if (i == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
  halves[i] = half(1.0h);
  vectors[i % 8] = more[i % 3] = float4(detail::twice(entries(1.0f)));
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  atomic_fetch_add_explicit(&count, PRIMES[i % 3], memory_order_relaxed);
  blockDim[i] = float(halves[i]) + vectors[0].x + max(threadIdx, threadIdx) + metal::precise::exp(1.0f) + max(1.0f, 2.0f);
}`;
    expect(await complaintsOf(writeCuda(text, "test.metal").text)).toBe("");
  });

  it("the runtime's texts and the norms' are among them", () => {
    const names = texts.map(({ name }) => name);
    expect(names).toContain("runtime/src/copy/transfer.metal");
    expect(names).toContain("norms/src/rms-norm/rms_norm.metal");
  });
});

describe.skipIf(!hasFrontEnd)("what it rejects is told of the file and line that people wrote", () => {
  const complaint = (text: string) => complaintsOf(writeCuda(text, "src/test.metal").text);

  it("an unknown name in a kernel", async () => {
    expect(
      await complaint(
        "#include <metal_stdlib>\n\nkernel void f(device float* x [[buffer(0)]]) {\n  x[0] = missing;\n}\n",
      ),
    ).toMatch(/^src\/test\.metal:4:10: error: use of undeclared identifier 'missing'/);
  });
  it("a name of another file behind #line", async () => {
    expect(
      await complaint('#line 7 "metile/near.h"\ninline float g() { return missing; }\nkernel void f() {}\n'),
    ).toMatch(/^metile\/near\.h:7:/);
  });
  it("a function of Metal that CUDA has, with arguments that Metal does not take", async () => {
    expect(
      await complaint("kernel void f(device float* x [[buffer(0)]]) {\n  x[0] = max(int4(1), 2.0f, 3.0f);\n}\n"),
    ).toMatch(/^src\/test\.metal:2:10: error: no matching function for call to 'max'/);
  });
});
