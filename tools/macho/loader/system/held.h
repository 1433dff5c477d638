// Objects whose layout differs between macOS and Linux: the first word of macOS's object holds the address of ours.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace macho {

// `signature`: what macOS's static initialiser leaves in the first word. An object without an address gets its own
// counterpart at first use, from whichever thread comes first.
template <typename Native, typename Create, typename Destroy>
Native* held(void* object, std::uintptr_t signature, Create create, Destroy destroy) {
  auto* word = static_cast<std::atomic<std::uintptr_t>*>(object);
  std::uintptr_t found = word->load(std::memory_order_acquire);
  if (found != 0 && found != signature) return reinterpret_cast<Native*>(found);
  auto* fresh = static_cast<Native*>(std::malloc(sizeof(Native)));
  if (fresh == nullptr) std::abort();
  create(fresh);
  if (word->compare_exchange_strong(found, reinterpret_cast<std::uintptr_t>(fresh), std::memory_order_acq_rel)) return fresh;
  destroy(fresh);
  std::free(fresh);
  return reinterpret_cast<Native*>(found);
}

// Leaves the object as the static initialiser would.
template <typename Native, typename Destroy>
void letGo(void* object, std::uintptr_t signature, Destroy destroy) {
  auto* word = static_cast<std::atomic<std::uintptr_t>*>(object);
  const std::uintptr_t found = word->exchange(signature, std::memory_order_acq_rel);
  if (found == 0 || found == signature) return;
  auto* native = reinterpret_cast<Native*>(found);
  destroy(native);
  std::free(native);
}

}  // namespace macho
