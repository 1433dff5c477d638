import type { CompilerKind } from "./find.js";
import type { Build, Level, Target } from "./target.js";

/**
 * Flags of every compiler and target. Floating point stays strict: no reassociation, no contraction and no assumption
 * about NaN, so that the bits of results do not depend on compiler or instruction set.
 */
const COMMON_FLAGS = [
  "-std=c++17",
  "-O3",
  "-g0",
  "-fPIC",
  "-fno-exceptions",
  "-fno-rtti",
  "-fno-math-errno",
  "-fno-trapping-math",
  "-ffp-contract=off",
  "-fno-stack-protector", // distributions turn it on; it would need a symbol of the C library
  "-w",
];

/** Wider than the default of 4 floats: kernels mix 16-bit loads with float arithmetic, and clang sizes by the widest. */
const CLANG_VECTOR_WIDTH = ["-mllvm", "-force-vector-width=16"];

const COMPILER_FLAGS: Record<CompilerKind, readonly string[]> = {
  // zig turns -O3 into -O2 and adds trapping checks unless told otherwise
  zig: ["-Xclang", "-O3", "-fno-sanitize=undefined", ...CLANG_VECTOR_WIDTH],
  clang: CLANG_VECTOR_WIDTH,
  gcc: ["-U_FORTIFY_SOURCE"],
};

/** The oldest systems that libraries are made for: glibc 2.28 (2018) and macOS 13. */
const ZIG_TARGETS: Record<Target, string> = {
  "linux-x64": "x86_64-linux-gnu.2.28",
  "linux-arm64": "aarch64-linux-gnu.2.28",
  "darwin-arm64": "aarch64-macos.13.0",
};

/** zig and clang keep 256-bit vectors at v4 unless told; bfloat16 kernels are up to 1.7 times slower then. */
const ZIG_LEVELS: Record<Level, readonly string[]> = {
  v3: ["-mcpu=x86_64_v3"],
  v4: ["-mcpu=x86_64_v4-prefer_256_bit"],
  arm64: [],
};

const SYSTEM_LEVELS: Record<Level, readonly string[]> = {
  v3: ["-march=x86-64-v3"],
  v4: ["-march=x86-64-v4", "-mprefer-vector-width=512"],
  arm64: [],
};

/**
 * Arguments that compile one C++ file of kernels to an object, without input and output.
 *
 * @example
 * ```ts
 * compileFlags("gcc", { target: "linux-x64", level: "v3" }).includes("-march=x86-64-v3"); // true
 * ```
 */
export function compileFlags(kind: CompilerKind, { target, level }: Build): string[] {
  return [...machineFlags(kind, { target, level }), ...COMMON_FLAGS, ...COMPILER_FLAGS[kind]];
}

function machineFlags(kind: CompilerKind, { target, level }: Build): readonly string[] {
  const apple = target === "darwin-arm64";
  if (kind !== "zig") return apple ? ["-mcpu=apple-m1"] : SYSTEM_LEVELS[level];
  return ["-target", ZIG_TARGETS[target], ...(apple ? ["-mcpu=apple_m1"] : ZIG_LEVELS[level])];
}

/**
 * Arguments that link one object to a shared library, program arguments first: kernels need nothing beyond memcpy and
 * memset of the process they are loaded into, so that no library is named.
 *
 * @param object - path of the object
 * @param output - path of the library
 * @param name - file name that a Mach-O library carries as its own; keeps the temporary path out of the bytes
 */
export function linkArguments(
  kind: CompilerKind,
  target: Target,
  object: string,
  output: string,
  name: string,
): string[] {
  if (target === "darwin-arm64") {
    const parameters = [...appleLinkArguments(kind, name), object];
    return kind === "zig" ? [...parameters, `-femit-bin=${output}`] : [...parameters, "-o", output];
  }
  const files = [object, "-o", output];
  // `zig c++ -shared` would first build libc++ for more than a minute; the linker alone takes 0.03 s
  if (kind === "zig") return ["ld.lld", "-shared", "-s", "--build-id=none", ...files];
  return ["-shared", "-nostdlib", "-s", "-Wl,--build-id=none", ...files];
}

/**
 * Arguments that link for darwin-arm64, without objects and output. zig's own linker names the output `-femit-bin=…`; it
 * is told to leave out zig's support routines, which libSystem has, and its output is to be trimmed (`trimMachO`).
 *
 * @param name - file name that the library carries as its own
 */
export function appleLinkArguments(kind: CompilerKind, name: string): string[] {
  const installName = `@rpath/${name}`;
  if (kind !== "zig") return ["-dynamiclib", `-Wl,-install_name,${installName}`, "-Wl,-x"];
  const target = ["build-lib", "-dynamic", "-target", ZIG_TARGETS["darwin-arm64"]];
  return [...target, "-fstrip", "-dead_strip", "-fno-compiler-rt", "-lc", "-install_name", installName];
}
