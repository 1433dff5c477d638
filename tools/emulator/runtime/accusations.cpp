// Reports of a module: lines "kind: file:line: message" in the message that its host gave room for, each kind and line once.
#include "module.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const MetileKernel* kernel;
static char* text;
static size_t room; // bytes left, the ending zero among them
static const unsigned max_reports = 64;
static uint64_t seen[max_reports];
static unsigned count;

void begin_reports(const MetileModule& module, const MetileKernel& named, char* message, size_t bytes) {
  kernel = &named;
  text = message;
  room = bytes;
  count = 0;
  if (room > 0) *text = 0;
  open_places(module.begin);
}
unsigned report_count() { return count; }

static void add_values(const char* format, va_list values) {
  if (room == 0) return;
  const size_t wanted = (size_t)vsnprintf(text, room, format, values), added = wanted < room ? wanted : room - 1;
  text += added;
  room -= added;
}
static void add(const char* format, ...) {
  va_list values;
  va_start(values, format);
  add_values(format, values);
  va_end(values);
}

static bool is_new(const char* kind, const Place& place) {
  uint64_t hash = place.line;
  for (const char* at = kind; *at; ++at) hash = hash * 31 + (unsigned char)*at;
  for (const char* at = place.file; *at; ++at) hash = hash * 31 + (unsigned char)*at;
  for (unsigned i = 0; i < count; ++i) {
    if (seen[i] == hash) return false;
  }
  if (count == max_reports) return false;
  seen[count++] = hash;
  return true;
}

// The line of the kernel's own file that leads to an address, or else the innermost that is known.
static Place blamed(const Thread* thread, Address where) {
  Place innermost = {kernel->file, 0}, place;
  if (where && find_place(where - 1, place)) {
    if (strcmp(place.file, kernel->file) == 0) return place;
    innermost = place;
  }
#ifdef METILE_WATCHED
  for (unsigned i = thread ? thread->depth : 0; i-- > 0;) {
    if (!find_place(thread->calls[i] - 1, place)) continue;
    if (strcmp(place.file, kernel->file) == 0) return place;
    if (innermost.line == 0) innermost = place;
  }
#else
  (void)thread;
#endif
  return innermost;
}

void report(const char* kind, const Thread* thread, Address where, Address other, const char* format, ...) {
  const Place place = blamed(thread, where);
  if (!is_new(kind, place)) return;
  if (count > 1) add("\n");
  if (place.line > 0) add("%s: %s:%u: ", kind, place.file, place.line);
  else add("%s: %s: ", kind, place.file);
  va_list values;
  va_start(values, format);
  add_values(format, values);
  va_end(values);
  Place earlier;
  if (other && find_place(other - 1, earlier)) add(", at %s:%u", earlier.file, earlier.line);
  if (thread) add("; kernel %s, threadgroup %u, thread %u", kernel->name, group_number, thread->id);
  else add("; kernel %s", kernel->name);
  if (where && find_place(where - 1, earlier) && (earlier.line != place.line || strcmp(earlier.file, place.file) != 0)) {
    add(", in %s:%u", earlier.file, earlier.line);
  }
}

void end_run(const char* outcome) {
  if (count == 0) report("crash", current, 0, 0, "%s", outcome);
  leave_run();
}
