#include "system_pages.h"

#include "system.h"

namespace metile {

Pages SystemPages::map(std::size_t bytes) noexcept {
  return {static_cast<std::byte*>(system::mapPages(bytes)), nullptr, bytes};
}

void SystemPages::unmap(const Pages& pages) noexcept { system::unmapPages(pages.start, pages.length); }

bool SystemPages::drop(const Pages& pages) noexcept { return system::dropPages(pages.start, pages.length); }

}  // namespace metile
