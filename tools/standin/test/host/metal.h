// The shortest way from a text to a command buffer, for cases.
#pragma once

#include "host.h"

struct Metal {
  Id device;
  Id queue;

  Metal();
  Id buffer(Unsigned length, Unsigned options = 0) const;
  Id library(const std::string& source = "kernels") const;
  Id pipeline(const char* kernel) const;
};

template <class T>
T* contents(Id buffer) {
  return static_cast<T*>(send<void*()>(buffer, "contents"));
}

Id commandBuffer(const Metal& metal);
Id encoder(Id commandBuffer, bool concurrent = false);
void setBuffer(Id encoder, Id buffer, Unsigned index, Unsigned offset = 0);

template <class T>
void setValue(Id encoder, T value, Unsigned index) {
  send<void(const void*, Unsigned, Unsigned)>(encoder, "setBytes:length:atIndex:", &value, sizeof value, index);
}

void dispatch(Id encoder, Unsigned groups, Unsigned threads);
void end(Id encoder);
void commit(Id commandBuffer);
void wait(Id commandBuffer);

/// One threadgroup of `append`: writes `value` to the end of a list of unsigned numbers whose first is the count.
void append(Id encoder, Id pipeline, Id list, std::uint32_t value);
