// METILE_STANDIN_*: what the stand-in pretends and which faults it brings about. Read once, when it is loaded.
#pragma once

#include <string>

namespace standin {

struct Switches {
  int systemMajor = 15;
  int systemMinor = 1;
  bool defaultDevice = true;      // MTLCreateSystemDefaultDevice gives one
  bool deviceList = true;         // MTLCopyAllDevices gives one
  unsigned long memory = 0;       // bytes that buffers may take together; 0: no limit
  unsigned long maxBuffer = 8ul << 30;
  unsigned long pipelineThreads = 1024;
  unsigned long appleFamily = 8;
  long delay = 0;                 // microseconds that each command buffer takes at least
  unsigned long seed = 0;         // order of concurrent dispatches: 0 reverse, else shuffled
  long failBuffer = 0;            // the n-th committed command buffer from now on fails; 0: none
  unsigned long failCode = 0;
  bool abortOnDrop = false;       // a dispatch that Metal drops in silence ends the program
  bool leaks = false;             // say at exit what is left
  std::string report;             // file for the report at exit
  std::string trace;              // file for every message
  std::string server;             // command line of the compile server, separated by line feeds

  int version() const { return systemMajor * 100 + systemMinor; }
};

Switches& switches();

}  // namespace standin
