// In which order work is done.

#include <unistd.h>

#include <thread>
#include <vector>

#include "block.h"
#include "metal.h"

namespace {

struct List {
  Metal metal;
  Id pipeline = metal.pipeline("append");
  Id list = metal.buffer(4096);
  Id other = metal.buffer(4096);

  List() {
    contents<std::uint32_t>(list)[0] = 0;
    contents<std::uint32_t>(other)[0] = 0;
  }

  void expect(std::vector<std::uint32_t> values) const {
    const auto* numbers = contents<std::uint32_t>(list);
    for (std::uint32_t index = 0; index <= numbers[0]; index++) std::printf("%u ", numbers[index]);
    std::printf("\n");
    CHECK(numbers[0] == values.size());
    for (std::size_t index = 0; index < values.size(); index++) CHECK(numbers[index + 1] == values[index]);
  }
};

void barrier(Id encoder, Unsigned scope = 1) { send<void(Unsigned)>(encoder, "memoryBarrierWithScope:", scope); }

}  // namespace

CASE(serial_order) {
  const Pool pool;
  List all;
  Id buffer = commandBuffer(all.metal);
  Id work = encoder(buffer);
  for (std::uint32_t value = 1; value <= 4; value++) append(work, all.pipeline, all.list, value);
  end(work);
  work = encoder(buffer);
  append(work, all.pipeline, all.list, 5);
  end(work);
  commit(buffer);
  Id next = commandBuffer(all.metal);
  work = encoder(next);
  append(work, all.pipeline, all.list, 6);
  end(work);
  commit(next);
  wait(next);
  all.expect({1, 2, 3, 4, 5, 6});
}

/// Without a barrier the last comes first; a barrier orders what is on its two sides.
CASE(concurrent_order) {
  const Pool pool;
  List all;
  Id buffer = commandBuffer(all.metal);
  Id work = encoder(buffer, true);
  for (std::uint32_t value = 1; value <= 3; value++) append(work, all.pipeline, all.list, value);
  barrier(work);
  append(work, all.pipeline, all.list, 4);
  barrier(work, 2);  // of textures: orders no buffers
  append(work, all.pipeline, all.list, 5);
  end(work);
  commit(buffer);
  wait(buffer);
  all.expect({3, 2, 1, 5, 4});
}

CASE(barrier_of_resources) {
  const Pool pool;
  List all;
  Id buffer = commandBuffer(all.metal);
  Id work = encoder(buffer, true);
  append(work, all.pipeline, all.list, 1);
  send<void(Id const*, Unsigned)>(work, "memoryBarrierWithResources:count:", &all.other, 1);
  append(work, all.pipeline, all.list, 2);
  send<void(Id const*, Unsigned)>(work, "memoryBarrierWithResources:count:", &all.list, 1);
  append(work, all.pipeline, all.list, 3);
  end(work);
  commit(buffer);
  wait(buffer);
  all.expect({2, 1, 3});
}

/// METILE_STANDIN_SEED decides; prints the order.
CASE(shuffled_order) {
  const Pool pool;
  List all;
  Id buffer = commandBuffer(all.metal);
  Id work = encoder(buffer, true);
  for (std::uint32_t value = 1; value <= 8; value++) append(work, all.pipeline, all.list, value);
  end(work);
  commit(buffer);
  wait(buffer);
  for (int index = 1; index <= 8; index++) std::printf("%u ", contents<std::uint32_t>(all.list)[index]);
}

CASE(enqueued_order) {
  const Pool pool;
  List all;
  Id first = commandBuffer(all.metal);
  Id second = commandBuffer(all.metal);
  send<void()>(first, "enqueue");
  Id work = encoder(second);
  append(work, all.pipeline, all.list, 2);
  end(work);
  commit(second);
  ::usleep(20000);
  CHECK(send<Unsigned()>(first, "status") == 1 && send<Unsigned()>(second, "status") == 2);
  work = encoder(first);
  append(work, all.pipeline, all.list, 1);
  end(work);
  commit(first);
  wait(second);
  all.expect({1, 2});
}

CASE(handlers) {
  List all;
  Block::Counts scheduled, completed;
  struct Seen {
    std::thread::id thread;
    Unsigned status = 0;
  } seen;
  {
    const Pool pool;
    Id buffer = commandBuffer(all.metal);
    Block early(&scheduled);
    Block late(
        &completed,
        [](Id argument, void* context) {
          static_cast<Seen*>(context)->thread = std::this_thread::get_id();
          static_cast<Seen*>(context)->status = send<Unsigned()>(argument, "status");
        },
        &seen);
    send<void(Block*)>(buffer, "addScheduledHandler:", &early);
    send<void(Block*)>(buffer, "addCompletedHandler:", &late);
    send<void(Block*)>(buffer, "addCompletedHandler:", &late);
    late.invoke = nullptr;  // the copies are what counts
    Id work = encoder(buffer);
    append(work, all.pipeline, all.list, 1);
    end(work);
    commit(buffer);
    wait(buffer);
  }
  CHECK(scheduled.calls == 1 && scheduled.copies == 1 && scheduled.disposals == 1);
  CHECK(completed.calls == 2 && completed.copies == 2 && completed.disposals == 2);
  CHECK(seen.status == 4 && seen.thread != std::this_thread::get_id());
  CHECK(counter("standin_live_blocks") == 0);
}

/// Handlers that are never called, since nothing was committed, are freed all the same.
CASE(uncommitted) {
  Metal metal;
  Block::Counts counts;
  {
    const Pool pool;
    Id buffer = commandBuffer(metal);
    Block block(&counts);
    send<void(Block*)>(buffer, "addCompletedHandler:", &block);
  }
  CHECK(counts.calls == 0 && counts.disposals == 1);
}

/// The third of two waits until one of them is done.
CASE(blocks_when_full) {
  List all;
  Id queue = send<Id(Unsigned)>(all.metal.device, "newCommandQueueWithMaxCommandBufferCount:", 2);
  const Pool pool;
  Id first = send<Id()>(queue, "commandBuffer");
  send<Id()>(queue, "commandBuffer");
  std::thread later([first] {
    ::usleep(100000);
    commit(first);
  });
  send<Id()>(queue, "commandBuffer");
  CHECK(send<Unsigned()>(first, "status") == 4);
  later.join();
}
