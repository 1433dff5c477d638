// Metal's buffers as an arena's memory: shared, so that the host sees them.
#pragma once

#include "../memory/page_source.h"
#include "../objc/types.h"

namespace metile::metal {

class BufferPages final : public PageSource {
 public:
  BufferPages(objc::id device, std::uint64_t largest) : device_(device), largest_(largest) {}

  Pages map(std::size_t bytes) noexcept override;
  void unmap(const Pages& pages) noexcept override;
  bool zeroed() const noexcept override { return false; }  // drivers do so, but do not promise it
  std::size_t alignment() const noexcept override { return 256; }
  bool drop(const Pages&) noexcept override { return false; }

 private:
  objc::id device_;
  std::uint64_t largest_;
};

}  // namespace metile::metal
