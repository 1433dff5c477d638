#include "report.h"

#include <cstdio>

#include "metal/json.h"
#include "runtime/class.h"
#include "runtime/counters.h"
#include "runtime/switches.h"

namespace standin {

namespace {

std::string liveByClass() {
  std::string text;
  for (const Class* one : allClasses()) {
    const long live = one->live.load();
    if (live != 0) text += (text.empty() ? "" : ",") + quoteJson(one->owner) + ":" + std::to_string(live);
  }
  return "{" + text + "}";
}

void writeReport() {
  const std::string& path = switches().report;
  if (path.empty()) return;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  std::fprintf(file, "%s\n", reportText().c_str());
  std::fclose(file);
}

/// At the end of the program. What the program keeps on purpose (device, queues, caches) is among the live objects.
__attribute__((destructor)) void atExit() {
  writeReport();
  if (!switches().leaks) return;
  std::fprintf(stderr, "stand-in: %ld pool leaks, %ld bytes in buffers, live objects %s\n", counters().poolLeaks.load(),
               counters().bytes.load(), liveByClass().c_str());
}

}  // namespace

std::string reportText() {
  const Counters& all = counters();
  const struct {
    const char* name;
    long value;
  } values[] = {
      {"liveObjects", all.objects.load()},
      {"liveBlocks", all.blocks.load()},
      {"poolLeaks", all.poolLeaks.load()},
      {"liveBytes", all.bytes.load()},
      {"peakBytes", all.peakBytes.load()},
      {"openCommandBuffers", all.openCommandBuffers.load()},
      {"commandBuffers", all.commandBuffers.load()},
      {"failedCommandBuffers", all.failedCommandBuffers.load()},
      {"encoders", all.encoders.load()},
      {"dispatches", all.dispatches.load()},
      {"droppedDispatches", all.droppedDispatches.load()},
      {"barriers", all.barriers.load()},
      {"blits", all.blits.load()},
      {"libraries", all.libraries.load()},
      {"fastFunctionLibraries", all.fastFunctionLibraries.load()},
      {"fastMathLibraries", all.fastMathLibraries.load()},
      {"pipelines", all.pipelines.load()},
  };
  std::string text = "{";
  for (const auto& [name, value] : values) text += quoteJson(name) + ":" + std::to_string(value) + ",";
  return text + "\"live\":" + liveByClass() + "}";
}

}  // namespace standin
