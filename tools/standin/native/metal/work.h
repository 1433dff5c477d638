// What a command buffer holds to be done: the commands of its encoders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "buffer.h"
#include "pipeline.h"

namespace standin {

/// A buffer, or bytes that the encoder copied, at a slot of a dispatch.
struct Binding {
  std::uint32_t slot;
  Buffer* buffer;        // null: bytes
  std::uint64_t offset;  // into the buffer, or the encoder's constants
  std::uint64_t length;  // of bytes
};

struct ThreadgroupBinding {
  std::uint32_t slot;
  std::uint32_t bytes;
};

struct Command {
  enum class Kind { dispatch, barrier, copy, fill };

  Kind kind = Kind::dispatch;
  Pipeline* pipeline = nullptr;
  std::uint32_t groups[3] = {};
  std::uint32_t threads[3] = {};
  std::uint32_t firstBinding = 0, bindings = 0;
  std::uint32_t firstMemory = 0, memories = 0;
  // Barriers of some resources order only dispatches that use one of them; without any they order all.
  std::vector<Object*> resources;
  // copy: `from` to `to`; fill: `to`.
  Buffer* from = nullptr;
  Buffer* to = nullptr;
  std::uint64_t fromOffset = 0, toOffset = 0, size = 0;
  std::uint8_t value = 0;
};

/// Of one encoder.
struct Work {
  bool concurrent = false;
  std::vector<Command> commands;
  std::vector<Binding> bindings;
  std::vector<ThreadgroupBinding> memories;
  std::vector<char> constants;  // each piece at a multiple of 16
};

/// Runs the commands; concurrent dispatches in the worst order that the barriers allow. False: `failure` has the report.
bool runWork(const Work& work, std::string& failure);

}  // namespace standin
