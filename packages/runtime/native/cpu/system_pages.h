// The system's pages as an arena's memory.
#pragma once

#include "../memory/page_source.h"

namespace metile {

class SystemPages final : public PageSource {
 public:
  Pages map(std::size_t bytes) noexcept override;
  void unmap(const Pages& pages) noexcept override;
  bool zeroed() const noexcept override { return true; }
  bool drop(const Pages& pages) noexcept override;
};

}  // namespace metile
