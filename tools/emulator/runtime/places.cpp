// Places of code, from the file that the compile server puts beside a module: a count, then for each row an address, a line
// (0: none) and the offset of a file's name; then names. Rows rise by address. Read when the first report is made.
#include "module.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Row {
  uint32_t address, line, name;
};
static Address base;
static char path[4096];
static char* table; // of the module that `loaded` names
static char loaded[4096];

void open_places(const void* in_module) {
  Dl_info info;
  base = (Address)in_module;
  path[0] = 0;
  if (dladdr(in_module, &info) && info.dli_fname) snprintf(path, sizeof path, "%s.places", info.dli_fname);
}

static void load() {
  if (strcmp(path, loaded) == 0) return;
  free(table);
  table = nullptr;
  strcpy(loaded, path);
  FILE* file = fopen(path, "rb");
  if (file == nullptr) return;
  fseek(file, 0, SEEK_END);
  const long bytes = ftell(file);
  rewind(file);
  table = bytes > 0 ? (char*)malloc((size_t)bytes) : nullptr;
  if (table && fread(table, 1, (size_t)bytes, file) != (size_t)bytes) {
    free(table);
    table = nullptr;
  }
  fclose(file);
}

bool find_place(Address code, Place& place) {
  load();
  if (table == nullptr || code < base || code - base > UINT32_MAX) return false;
  uint32_t low = 0, high;
  memcpy(&high, table, sizeof high);
  const Row* rows = (const Row*)(table + sizeof high);
  const char* names = (const char*)(rows + high);
  const uint32_t address = (uint32_t)(code - base);
  if (high == 0 || rows[0].address > address) return false;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (rows[middle].address <= address) low = middle;
    else high = middle;
  }
  if (rows[low].line == 0) return false;
  place = {names + rows[low].name, rows[low].line};
  return true;
}
