// What a program that keeps the rules sees of Metal.

#include "metal.h"

CASE(vector_add) {
  Metal metal;
  Id pipeline = metal.pipeline("vector_add");
  constexpr std::uint32_t count = 1000;
  Id left = metal.buffer(count * 4), right = metal.buffer(count * 4), sum = metal.buffer(count * 4);
  for (std::uint32_t index = 0; index < count; index++) {
    contents<float>(left)[index] = static_cast<float>(index);
    contents<float>(right)[index] = 0.5f;
  }
  CHECK(contents<float>(sum)[3] != contents<float>(sum)[3]);  // new memory holds NaN
  {
    const Pool pool;
    Id buffer = commandBuffer(metal);
    Id work = encoder(buffer);
    send<void(Id)>(work, "setComputePipelineState:", pipeline);
    setBuffer(work, left, 0);
    setBuffer(work, right, 1);
    setBuffer(work, sum, 2);
    setValue(work, count, 3);
    dispatch(work, 4, 256);
    end(work);
    commit(buffer);
    wait(buffer);
    CHECK(send<Unsigned()>(buffer, "status") == 4);
    CHECK(send<Id()>(buffer, "error") == nullptr);
    CHECK(send<double()>(buffer, "GPUEndTime") >= send<double()>(buffer, "GPUStartTime"));
  }
  for (std::uint32_t index = 0; index < count; index++) {
    CHECK(contents<float>(sum)[index] == static_cast<float>(index) + 0.5f);
  }
  for (Id object : {left, right, sum, pipeline, metal.queue}) release(object);
}
