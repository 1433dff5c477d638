#include "switches.h"

#include <cstdlib>
#include <cstring>

#include "violation.h"

namespace standin {

namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

unsigned long number(const char* name, unsigned long otherwise) {
  const char* text = variable(name);
  if (*text == 0) return otherwise;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end != 0) violationOutside("%s is \"%s\"; a whole number is expected", name, text);
  return value;
}

bool enabled(const char* name) { return number(name, 0) != 0; }

void readSystem(Switches& into) {
  const char* text = variable("METILE_STANDIN_MACOS");
  if (*text == 0) return;
  char* end = nullptr;
  into.systemMajor = static_cast<int>(std::strtol(text, &end, 10));
  into.systemMinor = *end == '.' ? static_cast<int>(std::strtol(end + 1, &end, 10)) : 0;
  if (*end != 0 || into.systemMajor < 11) violationOutside("METILE_STANDIN_MACOS is \"%s\"; \"15.1\" would do", text);
}

void readDevices(Switches& into) {
  const char* text = variable("METILE_STANDIN_DEVICES");
  const bool known = *text == 0 || std::strcmp(text, "both") == 0 || std::strcmp(text, "list") == 0 ||
                     std::strcmp(text, "default") == 0 || std::strcmp(text, "none") == 0;
  if (!known) violationOutside("METILE_STANDIN_DEVICES is \"%s\"; there are both, list, default and none", text);
  into.defaultDevice = std::strcmp(text, "list") != 0 && std::strcmp(text, "none") != 0;
  into.deviceList = std::strcmp(text, "default") != 0 && std::strcmp(text, "none") != 0;
}

void readFailure(Switches& into) {
  const char* text = variable("METILE_STANDIN_FAIL_BUFFER");
  if (*text == 0) return;
  char* end = nullptr;
  into.failBuffer = std::strtol(text, &end, 10);
  if (*end == ':') into.failCode = std::strtoul(end + 1, &end, 10);
  if (*end != 0 || into.failBuffer < 1 || into.failCode == 0) {
    violationOutside("METILE_STANDIN_FAIL_BUFFER is \"%s\"; number:code is expected, both from 1", text);
  }
}

Switches* read() {
  auto* made = new Switches;
  readSystem(*made);
  readDevices(*made);
  readFailure(*made);
  made->memory = number("METILE_STANDIN_MEMORY", 0);
  made->maxBuffer = number("METILE_STANDIN_MAX_BUFFER", made->maxBuffer);
  made->pipelineThreads = number("METILE_STANDIN_PIPELINE_THREADS", made->pipelineThreads);
  made->appleFamily = number("METILE_STANDIN_FAMILY", made->appleFamily);
  made->delay = static_cast<long>(number("METILE_STANDIN_DELAY", 0));
  made->seed = number("METILE_STANDIN_SEED", 0);
  made->abortOnDrop = enabled("METILE_STANDIN_ABORT");
  made->leaks = enabled("METILE_STANDIN_LEAKS");
  made->report = variable("METILE_STANDIN_REPORT");
  made->trace = variable("METILE_STANDIN_TRACE");
  made->server = variable("METILE_STANDIN_SERVER");
  return made;
}

}  // namespace

Switches& switches() {
  static Switches* only = read();
  return *only;
}

}  // namespace standin
