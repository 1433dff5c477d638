// What a machine within another program is made of beside the parts of machine.h.
#pragma once
#include "emulator/module.h"
#include "machine.h"

// direct.cpp, or copies.cpp of a machine that watches: makes arguments and scratch of a launch.
const char* bind(const MetileKernel& kernel, const MetileModuleLaunch& launch); // null, or what stands in the way
void unbind();

// signals.cpp: while they are caught, a fault of the thread that runs is a report, and the run ends.
void catch_faults();
void release_faults();

// accusations.cpp
void begin_reports(const MetileModule& module, const MetileKernel& kernel, char* message, size_t bytes);
unsigned report_count();

// places.cpp: the place of an address of code; false when none is known.
struct Place {
  const char* file;
  unsigned line;
};
void open_places(const void* in_module);
bool find_place(Address code, Place& place);
