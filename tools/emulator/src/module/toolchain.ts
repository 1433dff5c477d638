import { join } from "node:path";
import { type Compiler, findCompiler, hostLevels, hostTarget, runCommand } from "@metile/compiler";
import { COMMON_FLAGS } from "../build/flags.js";
import { RUNTIME, TARGET } from "../build/folders.js";

/** Machines that modules are made for. */
export type ModuleTarget = "linux-x64" | "linux-arm64";

/** zig's name of a target, and that of its libraries: glibc 2.28 has all that the machine calls. */
const TRIPLES: Readonly<Record<ModuleTarget, { readonly clang: string; readonly zig: string }>> = {
  "linux-x64": { clang: "x86_64-linux-gnu", zig: "x86_64-linux-gnu.2.28" },
  "linux-arm64": { clang: "aarch64-linux-gnu", zig: "aarch64-linux-gnu.2.28" },
};

/** Headers that kernels and machine are compiled with. */
export const HEADERS: readonly string[] = [TARGET, join(RUNTIME, "targets/cpu")];

/** Compiles and links for one target. */
export class Toolchain {
  readonly target: ModuleTarget;
  readonly compiler: Compiler;
  /** Of kernels: fused multiply-adds and conversions of halves are calls on the oldest processors. */
  readonly #level: readonly string[];

  /** @throws RangeError where the compiler does not reach the target */
  constructor(target: ModuleTarget, compiler: Compiler = findCompiler()) {
    if (compiler.kind !== "zig" && target !== hostTarget()) {
      throw new RangeError(`${compiler.command} compiles for this machine only; zig is needed for ${target}`);
    }
    this.target = target;
    this.compiler = compiler;
    const isHost = target === hostTarget();
    this.#level = isHost && hostLevels().includes("v3") ? ["-march=x86-64-v3"] : [];
  }

  /** All that decides what comes out beside sources, headers and flags. */
  get identity(): string {
    return JSON.stringify([this.compiler.identity, this.target, this.#level, COMMON_FLAGS]);
  }

  /**
   * Compiles kernels. zig's clang is called by itself: `zig c++` keeps a cache of its own, which takes time.
   *
   * @throws CompileError with the compiler's words
   */
  async compileKernels(source: string, object: string, flags: readonly string[]): Promise<void> {
    const { kind, command } = this.compiler;
    const clang = kind === "zig" ? ["clang", `--target=${TRIPLES[this.target].clang}`] : [];
    const colours = kind === "gcc" ? "-fdiagnostics-color=never" : "-fno-color-diagnostics";
    await this.#run([command, ...clang, ...this.#level, colours, ...this.#compilation(source, object, flags, HEADERS)]);
  }

  /** Compiles the machine, which needs the headers of a C library. */
  async compileMachine(source: string, object: string, flags: readonly string[], folder: string): Promise<void> {
    const { kind, command, prefix } = this.compiler;
    const target = kind === "zig" ? ["-target", TRIPLES[this.target].zig, "-fno-sanitize=undefined"] : [];
    await this.#run([command, ...prefix, ...target, ...this.#compilation(source, object, flags, [...HEADERS, folder])]);
  }

  /**
   * Links a library. None of the system's is named: the process that loads it has the C library.
   *
   * @param files - objects, and libraries that it is to load by their path
   */
  async link(files: readonly string[], output: string): Promise<void> {
    const { kind, command } = this.compiler;
    const linker = kind === "zig" ? ["ld.lld", "-shared", "--build-id=none"] : ["-shared", "-nostdlib"];
    await this.#run([command, ...linker, ...files, "-o", output]);
  }

  #compilation(source: string, object: string, flags: readonly string[], headers: readonly string[]): string[] {
    const includes = headers.map((path) => `-I${path}`);
    return ["-c", "-fPIC", "-fvisibility=hidden", "-w", ...COMMON_FLAGS, ...flags, ...includes, source, "-o", object];
  }

  #run(line: readonly string[]): Promise<string> {
    return runCommand({ line, environment: this.compiler.environment });
  }
}
