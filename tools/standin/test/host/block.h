// Blocks by hand, as a compiler without them must make them.
#pragma once

#include <atomic>

#include "host.h"

struct Block {
  struct Descriptor {
    unsigned long reserved, size;
    void (*copy)(Block*, const Block*);
    void (*dispose)(const Block*);
  };
  struct Counts {
    std::atomic<int> calls{0}, copies{0}, disposals{0};
  };

  void* isa = functionNamed("_NSConcreteStackBlock");
  int flags = 1 << 25;
  int reserved = 0;
  void (*invoke)(Block*, Id);
  const Descriptor* descriptor;
  Counts* counts;
  void (*body)(Id, void*);
  void* context;

  explicit Block(Counts* counts, void (*body)(Id, void*) = nullptr, void* context = nullptr)
      : invoke([](Block* self, Id argument) {
          self->counts->calls++;
          if (self->body != nullptr) self->body(argument, self->context);
        }),
        descriptor(&layout),
        counts(counts),
        body(body),
        context(context) {}

  static const Descriptor layout;
};

inline const Block::Descriptor Block::layout = {0, sizeof(Block), [](Block* into, const Block*) { into->counts->copies++; },
                                                [](const Block* block) { block->counts->disposals++; }};
