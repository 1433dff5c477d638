// Command buffers that fail.

#include "metal.h"

namespace {

Id run(Id queue, Id pipeline = nullptr) {
  Id buffer = send<Id()>(queue, "commandBuffer");
  if (pipeline != nullptr) {
    Id work = encoder(buffer);
    send<void(Id)>(work, "setComputePipelineState:", pipeline);
    dispatch(work, 1, 32);
    end(work);
  }
  commit(buffer);
  wait(buffer);
  return buffer;
}

Integer codeOf(Id buffer) { return send<Integer()>(send<Id()>(buffer, "error"), "code"); }

std::string messageOf(Id buffer) { return string(send<Id()>(send<Id()>(buffer, "error"), "localizedDescription")); }

}  // namespace

CASE(injected_errors) {
  Metal metal;
  const auto failNext = function<void(unsigned long, const char*)>("standin_fail_next");
  const struct {
    unsigned long code;
    const char* says;
  } errors[] = {{2, "Impacting Interactivity"}, {3, "Address Fault"}, {8, "Insufficient Memory"}, {11, "removed"}};
  for (const auto& [code, says] : errors) {
    const Pool pool;
    Id queue = send<Id()>(metal.device, "newCommandQueue");
    CHECK(send<Unsigned()>(run(queue), "status") == 4);
    failNext(code, nullptr);
    Id failed = run(queue);
    CHECK(send<Unsigned()>(failed, "status") == 5 && codeOf(failed) == static_cast<Integer>(code));
    CHECK(messageOf(failed).find(says) != std::string::npos);
    CHECK(string(send<Id()>(send<Id()>(failed, "error"), "domain")) == "MTLCommandBufferErrorDomain");
    for (int again = 0; again < 2; again++) {
      Id ignored = run(queue);
      CHECK(codeOf(ignored) == 4 && messageOf(ignored).find("Ignored (for causing prior") == 0);
    }
    CHECK(send<Unsigned()>(run(metal.queue), "status") == 4);  // another queue goes on
    release(queue);
  }
  const Pool pool;
  failNext(2, "in words of the test");
  CHECK(messageOf(run(metal.queue)) == "in words of the test");
}

/// METILE_STANDIN_FAIL_BUFFER is 3:3.
CASE(third_fails) {
  Metal metal;
  const Pool pool;
  CHECK(send<Unsigned()>(run(metal.queue), "status") == 4);
  CHECK(send<Unsigned()>(run(metal.queue), "status") == 4);
  CHECK(codeOf(run(metal.queue)) == 3);
}

/// A kernel's report fails its command buffer alone.
CASE(reported) {
  Metal metal;
  const Pool pool;
  Id failed = run(metal.queue, metal.pipeline("faulty"));
  CHECK(send<Unsigned()>(failed, "status") == 5);
  CHECK(messageOf(failed) == "race: src/faulty.metal:34: two threads write");
  CHECK(send<Unsigned()>(run(metal.queue, metal.pipeline("nothing")), "status") == 4);
}
