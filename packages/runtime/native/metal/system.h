// The process's Metal device, opened once and never destroyed: work may be under way while the process ends.
#pragma once

#include <string>

#include "../stream/stream.h"
#include "facts.h"

namespace metile::metal {

class MetalDevice;

// What can be said without opening the device's stream. Asks the system at the first call.
struct Availability {
  bool available = false;
  std::string reason;  // why not
  Facts facts;
};
const Availability& availability();

// The stream; opened at the first call, with the text of what copies and fills need. Throws a device failure.
Stream& stream(const std::string& transfers);

// The device behind the stream; null before it is open.
MetalDevice* openDevice();

}  // namespace metile::metal
