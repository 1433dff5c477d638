#include "buffer_pages.h"

#include "../objc/ownership.h"
#include "messages.h"
#include "values.h"

namespace metile::metal {
namespace {

constexpr std::size_t page = 16 << 10;

}  // namespace

Pages BufferPages::map(std::size_t bytes) noexcept {
  const objc::Pool pool;
  const std::size_t length = (bytes + page - 1) / page * page;
  if (length > largest_) return {};
  const objc::id buffer = send::newBufferWithLength(device_, length, resourceShared);
  if (buffer == nullptr) return {};
  return {static_cast<std::byte*>(send::contents(buffer)), buffer, length};
}

void BufferPages::unmap(const Pages& pages) noexcept {
  const objc::Pool pool;
  objc::runtime.release(static_cast<objc::id>(pages.handle));
}

}  // namespace metile::metal
