// Memory of an NVIDIA device for an arena. The host does not see it.
#pragma once

#include "../memory/page_source.h"
#include "driver.h"

namespace metile::cuda {

class DevicePages final : public PageSource {
 public:
  explicit DevicePages(Context context) : context_(context) {}

  Pages map(std::size_t bytes) noexcept override;
  void unmap(const Pages& pages) noexcept override;
  bool zeroed() const noexcept override { return false; }
  std::size_t alignment() const noexcept override { return 256; }
  bool drop(const Pages&) noexcept override { return false; }

 private:
  Context context_;
};

}  // namespace metile::cuda
