import { beforeAll, describe, expect, it } from "vitest";
import { casesOf, prepare, runCase } from "./kit.js";

/** Each case of strict_cases.cc breaks one rule; this is what the stand-in says before it ends the program. */
const reports: Record<string, string> = {
  message_to_freed: "message length to a freed MTLBuffer",
  argument_freed: "-[MTLComputeCommandEncoder setBuffer:offset:atIndex:]: the buffer is a freed MTLBuffer",
  over_release: "over-release of a MTLBuffer",
  over_release_by_pool: "over-release of a NSString",
  pools_out_of_order: "autorelease pools popped out of order",
  pool_popped_twice: "an autorelease pool popped twice",
  pool_of_another_thread: "an autorelease pool popped by another thread",
  unknown_selector: "-[MTLDevice makeItFast]: unrecognized selector",
  unregistered_selector: "a message with a selector that sel_registerName did not make",
  not_implemented: "not implemented in the stand-in: -[MTLDevice newSharedEvent]",
  no_object: "message description to something that is no object",
  wrong_class: "the pipeline is a MTLBuffer, not a MTLComputePipelineState",
  index_past_end: "-[NSArray objectAtIndex:]: index 1 beyond bounds [0 .. 1): NSRangeException",
  nil_in_dictionary: "nil at index 0 raises an exception",
  null_string: "+[NSString stringWithUTF8String:]: NULL raises an exception",
  block_without_class: "a block whose isa is none of the three classes of blocks",
  block_released_twice: "a block that was freed",
  open_encoder_at_commit: "-[MTLCommandBuffer commit]: an encoder is open: endEncoding was not sent",
  encoder_never_ended: "a MTLComputeCommandEncoder was released without endEncoding",
  two_encoders: "another encoder of the command buffer is open",
  use_after_end: "dispatchThreadgroups:threadsPerThreadgroup:]: endEncoding was sent before",
  ended_twice: "-[MTLComputeCommandEncoder endEncoding]: endEncoding was sent before",
  encoder_after_commit: "computeCommandEncoderWithDispatchType:]: the command buffer was committed",
  committed_twice: "-[MTLCommandBuffer commit]: the command buffer was committed before",
  handler_after_commit: "addCompletedHandler:]: a handler given after the commit may never be called",
  wait_without_commit: "waitUntilCompleted]: the command buffer was not committed: this waits for ever",
  wait_in_handler: "waitUntilCompleted]: a handler waits for the command buffer that calls it",
  unretained_freed: "MTLBuffer freed while an unfinished command buffer uses it",
  all_open_none_committed: "waits for ever: 64 command buffers are open, none of them committed",
  no_pipeline: "no pipeline is set",
  too_many_threads: "513 threads in a threadgroup; the pipeline takes 512: Metal drops the dispatch in silence",
  no_threadgroups: "no threadgroups: 0, 1, 1",
  no_threads: "a threadgroup without threads",
  too_many_threadgroups: "4294967296 threadgroups; positions have 32 bits",
  unbound_buffer: "append: nothing is set at buffer index 1",
  short_constant: "append: 2 bytes at buffer index 1; the kernel reads 4",
  bytes_for_output: "append: bytes at buffer index 0, which the kernel writes",
  unbound_threadgroup_memory: "describe: no threadgroup memory is set at index 2",
  threadgroup_memory_odd: "24 bytes; a multiple of 16 is needed",
  threadgroup_memory_large: "32784 bytes; at most 32768",
  threadgroup_memory_sum: "greedy: 34096 bytes of threadgroup memory; at most 32768",
  threadgroup_memory_slot: "setThreadgroupMemoryLength:atIndex:]: index 31; the last one is 30",
  buffer_slot: "setBuffer:offset:atIndex:]: index 31; the last one is 30",
  bytes_slot: "setBytes:length:atIndex:]: index 31; the last one is 30",
  bytes_large: "4097 bytes; from 1 to 4096 are allowed",
  bytes_none: "0 bytes; from 1 to 4096 are allowed",
  offset_past_end: "offset 64 is past the end of a buffer of 64 bytes",
  offset_without_buffer: "no buffer is set at index 5",
  copy_past_end: "64 bytes from 0 of the target, which has 32",
  fill_odd: "3 bytes from 0; multiples of 4 are needed",
  partial_threadgroup: "not implemented in the stand-in: dispatchThreads of 100 threads in threadgroups of 64",
  no_language_version: "without a language version it is the one of the SDK that the running program was linked with",
  no_options: "without a language version it is the one of the SDK that the running program was linked with",
  unknown_language_version: "0x1f is no language version",
  macro_of_wrong_type: "a macro's value is a MTLCompileOptions; NSString and NSNumber are allowed",
  unaligned_memory: "is not at a page of 16384 bytes",
  unaligned_length: "100 bytes are not whole pages of 16384",
  unknown_options: "options 0x1000 have unknown bits",
  two_threads_one_encoder: "two threads use the encoder at once",
};

/** Rules whose breach the machine itself punishes, or the program sees in its own data. */
const silent: Record<string, { signal: NodeJS.Signals | null; output: string }> = {
  write_past_end: { signal: "SIGSEGV", output: "" },
  write_after_free: { signal: "SIGSEGV", output: "" },
  inner_pointer_after_pool: { signal: null, output: 'std::string(bytes) == "a long enough text"\n' },
};

const options = { pipelineThreads: 512, delayMicroseconds: 20_000 };

beforeAll(prepare, 600_000);

describe("a broken rule ends the program", () => {
  it("is planted in every case that is listed, and every case is listed", () => {
    const planted = [...Object.keys(reports), ...Object.keys(silent)];
    expect(planted.sort()).toEqual(casesOf("strict_cases.cc").sort());
  });

  it.each(Object.entries(reports))("%s", (name, report) => {
    const { signal, errors, output } = runCase(name, options);
    expect(errors).toContain(report);
    expect(errors).toMatch(/^stand-in: /);
    expect([signal, output]).toEqual(["SIGABRT", ""]);
  });

  it.each(Object.entries(silent))("%s, seen without a line", (name, { signal, output }) => {
    const outcome = runCase(name, options);
    expect(outcome.signal).toBe(signal);
    expect(outcome.status).not.toBe(0);
    expect(outcome.output.endsWith(output)).toBe(true);
  });
});
