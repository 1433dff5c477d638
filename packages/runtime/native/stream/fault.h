// Why the contents of a storage are not to be read: the launch that should have written it failed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace metile {

// What a kernel writes to its status words: a code other than 0 says that it failed.
struct Status {
  std::uint32_t words[4] = {0, 0, 0, 0};  // code, row, value, limit
};

struct Fault {
  std::uint32_t operation = 0;
  bool hasStatus = false;
  Status status;
  std::string message;
};

// Shared by all storages that a fault reaches; never changed once made.
using FaultPointer = std::shared_ptr<const Fault>;

inline FaultPointer makeFault(std::uint32_t operation, std::string message) {
  auto fault = std::make_shared<Fault>();
  fault->operation = operation;
  fault->message = std::move(message);
  return fault;
}

}  // namespace metile
