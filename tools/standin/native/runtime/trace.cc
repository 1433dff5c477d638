#include "trace.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "class.h"
#include "switches.h"
#include "violation.h"

namespace standin {

bool tracing = false;

namespace {

std::FILE* file = nullptr;

}  // namespace

void openTrace() {
  const char* path = switches().trace.c_str();
  if (*path == 0) return;
  file = std::fopen(path, "a");
  if (file == nullptr) violationOutside("METILE_STANDIN_TRACE names %s, which cannot be written", path);
  std::setvbuf(file, nullptr, _IOLBF, 1 << 16);  // whole lines, also when the program is aborted
  tracing = true;
}

void trace(const Class& receiver, Selector selector) {
  static thread_local const long thread = ::syscall(SYS_gettid);
  std::fprintf(file, "%ld %c[%s %s]\n", thread, receiver.meta ? '+' : '-', receiver.owner, selectorName(selector));
}

}  // namespace standin
