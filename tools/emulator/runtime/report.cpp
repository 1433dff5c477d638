// Writes reports to standard output, one a line, with addresses of code relative to the program's start.
#include "machine.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint64_t seen[256];
static unsigned seen_count;

static uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29); }

static bool is_new(const char* kind, const Thread* thread, Address where) {
  uint64_t hash = mix(1, where);
  for (const char* at = kind; *at; ++at) hash = mix(hash, (unsigned char)*at);
  for (unsigned i = 0; thread && i < thread->depth; ++i) hash = mix(hash, thread->calls[i]);
  for (unsigned i = 0; i < seen_count; ++i) {
    if (seen[i] == hash) return false;
  }
  if (seen_count == sizeof seen / sizeof *seen) return false;
  seen[seen_count++] = hash;
  return true;
}

static unsigned long relative(Address code) { return code ? code - program.begin : 0; }

void report(const char* kind, const Thread* thread, Address where, Address other, const char* format, ...) {
  if (!is_new(kind, thread, where)) return;
  printf("report\t%s\t%u\t%u\t%lx\t", kind, group_number, thread ? thread->id : 0, relative(other));
  if (where) printf("%lx", relative(where));
  for (unsigned i = thread ? thread->depth : 0; i-- > 0;) printf(",%lx", relative(thread->calls[i]));
  printf("\t");
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  printf("\n");
}

void end_run(const char* outcome) {
  printf("%s\n", outcome);
  fflush(stdout);
  _exit(0);
}
