// Many command buffers, many threads, and how fast they are.

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "block.h"
#include "metal.h"

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

long residentPages() {
  long size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident;
}

void runMany(const Metal& metal, Id queue, Id pipeline, Id buffer, int count, Block::Counts* counts) {
  for (int index = 0; index < count; index++) {
    const Pool pool;
    Id commands = send<Id()>(queue, "commandBuffer");
    Block block(counts);
    send<void(Block*)>(commands, "addCompletedHandler:", &block);
    Id work = encoder(commands, true);
    append(work, pipeline, buffer, 1);
    end(work);
    contents<std::uint32_t>(buffer)[1023] = 1;
    Id temporary = metal.buffer(128);
    release(temporary);
    commit(commands);
    if (index % 50 == 0) wait(commands);
  }
  const Pool pool;
  Id last = send<Id()>(queue, "commandBuffer");
  commit(last);
  wait(last);
}

/// Completed handlers' threads give back what they hold a little later than waiting ends.
long settledObjects() {
  long before = counter("standin_live_objects");
  for (int round = 0; round < 50; round++) {
    ::usleep(2000);
    const long now = counter("standin_live_objects");
    if (now == before && round > 5) break;
    before = now;
  }
  return before;
}

}  // namespace

/// Objects, pools, blocks and bytes stay where they are over 10,000 command buffers, and memory nearly so.
CASE(no_growth) {
  Metal metal;
  Id pipeline = metal.pipeline("append");
  Id list = metal.buffer(65536 * 4);
  contents<std::uint32_t>(list)[0] = 0;
  Block::Counts counts;
  runMany(metal, metal.queue, pipeline, list, 3000, &counts);
  const long objects = settledObjects();
  const long bytes = counter("standin_live_bytes");
  runMany(metal, metal.queue, pipeline, list, 10000, &counts);
  CHECK(settledObjects() == objects && counter("standin_live_bytes") == bytes);
  CHECK(counter("standin_live_blocks") == 0 && counter("standin_pool_leaks") == 0);
  CHECK(counts.calls == 13000 && counts.disposals == 13000);
  // The graveyard of freed objects is full after some 10,000 rounds.
  const long pages = residentPages();
  contents<std::uint32_t>(list)[0] = 0;
  runMany(metal, metal.queue, pipeline, list, 10000, &counts);
  std::printf("pages %ld, then %ld\n", pages, residentPages());
  CHECK(residentPages() < pages + 1000);
}

CASE(threads) {
  Metal metal;
  Id pipeline = metal.pipeline("append");
  std::vector<std::thread> threads;
  Block::Counts counts;
  for (int index = 0; index < 4; index++) {
    threads.emplace_back([&, index] {
      Id own = index % 2 == 0 ? send<Id()>(metal.device, "newCommandQueue") : nullptr;
      Id list = metal.buffer(65536);
      contents<std::uint32_t>(list)[0] = 0;
      runMany(metal, own == nullptr ? metal.queue : own, pipeline, list, 500, &counts);
      CHECK(contents<std::uint32_t>(list)[0] == 500);
      release(list);
      release(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(counts.calls == 2000 && counts.disposals == 2000 && counter("standin_pool_leaks") == 0);
}

/// Prints nanoseconds of a message and microseconds of a command buffer, without judging them.
CASE(speed) {
  Metal metal;
  Id pipeline = metal.pipeline("nothing");
  const Name name = selector("maxTotalThreadsPerThreadgroup");
  const auto message = reinterpret_cast<Unsigned (*)(Id, Name)>(functionNamed("objc_msgSend"));
  double start = seconds();
  Unsigned sum = 0;
  for (int index = 0; index < 1000000; index++) sum += message(pipeline, name);
  const double each = (seconds() - start) * 1000;
  CHECK(sum == 1024000000);
  start = seconds();
  Id last = nullptr;
  for (int index = 0; index < 20000; index++) {
    const Pool pool;
    Id buffer = commandBuffer(metal);
    Id work = encoder(buffer, true);
    send<void(Id)>(work, "setComputePipelineState:", pipeline);
    dispatch(work, 1, 32);
    end(work);
    commit(buffer);
    if (index == 19999) retain(last = buffer);
  }
  wait(last);
  const double buffer = (seconds() - start) / 20000 * 1e6;
  start = seconds();
  for (int index = 0; index < 1000; index++) {
    const Pool pool;
    Id waited = commandBuffer(metal);
    commit(waited);
    wait(waited);
  }
  std::printf("message %.0f ns, command buffer %.1f us, with waiting %.1f us\n", each, buffer,
              (seconds() - start) * 1000);
}
