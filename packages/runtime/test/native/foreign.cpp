// A library of another version than the addon takes.
#include <stdint.h>

extern "C" const uint32_t metile_artefact_version;
extern "C" const uint32_t metile_artefact_version = 99;
