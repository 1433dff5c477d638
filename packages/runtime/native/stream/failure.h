// Errors that cross from the device-independent parts to the module's surface, which turns them into JavaScript errors.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace metile {

enum class FailureKind { type, range, memory, library, kernel, device };

// Numbers that go with a memory failure, in bytes.
struct MemoryNumbers {
  std::uint64_t requested = 0;
  std::uint64_t live = 0;
  std::uint64_t cached = 0;
  std::uint64_t limit = 0;
};

class Failure : public std::exception {
 public:
  Failure(FailureKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  Failure(std::string message, const MemoryNumbers& numbers)
      : kind_(FailureKind::memory), message_(std::move(message)), numbers_(numbers) {}

  FailureKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const MemoryNumbers& numbers() const { return numbers_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  FailureKind kind_;
  std::string message_;
  MemoryNumbers numbers_;
};

// A sentence of text and numbers: joined("slot ", 3, " is not live").
template <typename... Parts>
std::string joined(const Parts&... parts);

namespace detail {
inline void append(std::string& text, const char* part) { text += part; }
inline void append(std::string& text, const std::string& part) { text += part; }
template <typename Number>
void append(std::string& text, Number part) { text += std::to_string(part); }
}  // namespace detail

template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  (detail::append(text, parts), ...);
  return text;
}

template <typename... Parts>
[[noreturn]] void throwRange(const Parts&... parts) {
  throw Failure(FailureKind::range, joined(parts...));
}

}  // namespace metile
