#include "object.h"

#include <array>

#include "class.h"
#include "counters.h"
#include "violation.h"

namespace standin {

namespace {

/// Freed objects keep their memory for a while, so that a message to one is recognised and names its class.
class Graveyard {
 public:
  void bury(Object* object) {
    const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed) % places_.size();
    std::free(places_[place].exchange(object, std::memory_order_acq_rel));
  }

 private:
  std::array<std::atomic<Object*>, 1 << 14> places_{};
  std::atomic<std::size_t> next_{0};
};

Graveyard& graveyard() {
  static auto* only = new Graveyard;
  return *only;
}

void destroy(Object* object) {
  Class* isa = object->isa;
  if (const int uses = object->inFlight.load(); uses > 0) {
    violationOutside("%s freed while %s command buffer uses it", isa->owner, uses == 1 ? "an unfinished" : "more than one");
  }
  isa->destroy(object);
  isa->live.fetch_sub(1, std::memory_order_relaxed);
  counters().objects.fetch_sub(1, std::memory_order_relaxed);
  auto* tombstone = new (static_cast<void*>(object)) Object;
  tombstone->isa = isa;
  tombstone->references = 0;
  tombstone->life = Life::freed;
  graveyard().bury(tombstone);
}

}  // namespace

void adoptClass(Object* object, Class* isa) {
  object->isa = isa;
  isa->live.fetch_add(1, std::memory_order_relaxed);
  counters().objects.fetch_add(1, std::memory_order_relaxed);
}

void requireAlive(const Object* object, const char* what) {
  const Life life = object->life.load(std::memory_order_relaxed);
  if (life == Life::alive) return;
  if (life == Life::freed) violation("%s is a freed %s", what, object->isa->owner);
  violation("%s is no object", what);
}

Object* retain(Object* object) {
  if (object == nullptr) return nullptr;
  const Life life = object->life.load(std::memory_order_relaxed);
  if (life != Life::alive) {
    if (life == Life::freed) violationOutside("retain of a freed %s", object->isa->owner);
    violationOutside("retain of something that is no object");
  }
  object->references.fetch_add(1, std::memory_order_relaxed);
  return object;
}

void release(Object* object) {
  if (object == nullptr) return;
  const Life life = object->life.load(std::memory_order_relaxed);
  if (life != Life::alive) {
    if (life == Life::freed) violationOutside("over-release of a %s", object->isa->owner);
    violationOutside("release of something that is no object");
  }
  if (object->isa->meta || object->isa == nullptr) return;
  const long before = object->references.fetch_sub(1, std::memory_order_acq_rel);
  if (before <= 0) violationOutside("over-release of a %s", object->isa->owner);
  if (before == 1) destroy(object);
}

}  // namespace standin

using standin::Object;

STANDIN_API Object* objc_retain(Object* object) { return standin::retain(object); }

STANDIN_API void objc_release(Object* object) { standin::release(object); }

STANDIN_API Object* objc_autorelease(Object* object) { return standin::autorelease(object); }
