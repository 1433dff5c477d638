// The runtime and Foundation, for a program that keeps the rules.

#include <cstring>
#include <iostream>
#include <thread>

#include "block.h"
#include "metal.h"

/// Prints the encoding of every method that is asked for on the standard input: class, kind, selector.
CASE(encodings) {
  std::string owner, kind, name;
  while (std::cin >> owner >> kind >> name) {
    Id found = classNamed(owner.c_str());
    const char* way = kind == "+" ? "class_getClassMethod" : "class_getInstanceMethod";
    const void* method = function<const void*(Id, Name)>(way)(found, selector(name.c_str()));
    const char* encoding = method == nullptr ? "-" : function<const char*(const void*)>("method_getTypeEncoding")(method);
    std::printf("%s %s %s %s\n", owner.c_str(), kind.c_str(), name.c_str(), encoding);
  }
}

CASE(structs) {
  const Pool pool;
  Metal metal;
  const Size threads = send<Size()>(metal.device, "maxThreadsPerThreadgroup");
  CHECK(threads.width == 1024 && threads.height == 1024 && threads.depth == 1024);
  const Pair pair = send<Pair(Unsigned, Unsigned)>(metal.device, "heapBufferSizeAndAlignWithLength:options:", 20000, 0);
  CHECK(pair.size == 32768 && pair.align == 16384);
  Id process = send<Id()>(classNamed("NSProcessInfo"), "processInfo");
  const Version version = send<Version()>(process, "operatingSystemVersion");
  CHECK(version.major == 15 && version.minor == 1 && version.patch == 0);
  CHECK(send<bool(Version)>(process, "isOperatingSystemAtLeastVersion:", Version{14, 4, 0}));
  CHECK(!send<bool(Version)>(process, "isOperatingSystemAtLeastVersion:", Version{15, 2, 0}));
  CHECK(send<bool(Integer)>(metal.device, "supportsFamily:", 5001));
  CHECK(send<bool(Integer)>(metal.device, "supportsFamily:", 1008));
  CHECK(!send<bool(Integer)>(metal.device, "supportsFamily:", 1009));
  CHECK(string(send<Id()>(send<Id()>(metal.device, "architecture"), "name")) == "applegpu_g14g");
}

CASE(nil) {
  CHECK(send<Id()>(nullptr, "name") == nullptr);
  CHECK(send<Unsigned()>(nullptr, "length") == 0);
  CHECK(send<double()>(nullptr, "GPUStartTime") == 0);
  release(nullptr);
  CHECK(classNamed("NoSuchClass") == nullptr);
  CHECK(classNamed("MTLDevice") == nullptr);  // a protocol
}

CASE(doubles) {
  const Pool pool;
  Id number = send<Id(double)>(classNamed("NSNumber"), "numberWithDouble:", 0.1);
  CHECK(string(send<Id()>(number, "description")) == "0.10000000000000001");
  number = send<Id(int)>(classNamed("NSNumber"), "numberWithInt:", -7);
  CHECK(string(send<Id()>(number, "description")) == "-7");
}

CASE(strings) {
  const Pool pool;
  CHECK(send<Unsigned()>(text("a\u00e9\U0001f600"), "length") == 4);
  CHECK(send<Unsigned(Unsigned)>(text("a\u00e9\U0001f600"), "lengthOfBytesUsingEncoding:", 4) == 7);
  CHECK(send<Id(const char*)>(classNamed("NSString"), "stringWithUTF8String:", "\xff") == nullptr);
  Id made = send<Id(const void*, Unsigned, Unsigned)>(send<Id()>(classNamed("NSString"), "alloc"),
                                                      "initWithBytes:length:encoding:", "a\0b", 3, 4);
  CHECK(send<Unsigned()>(made, "length") == 3);
  CHECK(std::memcmp(send<const char*()>(made, "UTF8String"), "a\0b", 3) == 0);
  release(made);
}

CASE(collections) {
  const Pool pool;
  Id keys[] = {text("STORAGE"), text("ROW_PACK")};
  Id values[] = {text("bfloat"), send<Id(int)>(classNamed("NSNumber"), "numberWithInt:", 4)};
  Id dictionary = send<Id(Id const*, Id const*, Unsigned)>(classNamed("NSDictionary"),
                                                           "dictionaryWithObjects:forKeys:count:", values, keys, 2);
  CHECK(string(send<Id(Id)>(dictionary, "objectForKey:", text("STORAGE"))) == "bfloat");
  CHECK(send<Id(Id)>(dictionary, "objectForKey:", text("OTHER")) == nullptr);
  Id array = send<Id(Id const*, Unsigned)>(classNamed("NSArray"), "arrayWithObjects:count:", keys, 2);
  CHECK(send<Unsigned()>(array, "count") == 2);
  CHECK(string(send<Id(Unsigned)>(array, "objectAtIndex:", 1)) == "ROW_PACK");
}

/// What is lent is freed with its pool, the nested one first, and nothing stays.
CASE(pools) {
  const long before = counter("standin_live_objects");
  {
    const Pool outer;
    Id kept = text("kept");
    retain(kept);
    {
      const Pool inner;
      text("inner");
      CHECK(counter("standin_live_objects") == before + 2);
    }
    CHECK(counter("standin_live_objects") == before + 1);
    CHECK(send<Unsigned()>(kept, "retainCount") == 2);
    release(kept);
  }
  CHECK(counter("standin_live_objects") == before);
  Id pool = send<Id()>(send<Id()>(classNamed("NSAutoreleasePool"), "alloc"), "init");
  text("in a pool that is an object");
  send<void()>(pool, "drain");
  CHECK(counter("standin_live_objects") == before);
  CHECK(counter("standin_pool_leaks") == 0);
}

CASE(missing_pool) {
  text("leaks");
  CHECK(counter("standin_pool_leaks") == 1);
  std::thread([] { text("leaks too"); }).join();
  CHECK(counter("standin_pool_leaks") == 2);
}

CASE(open_pool_at_thread_end) {
  std::thread([] {
    function<void*()>("objc_autoreleasePoolPush")();
    text("leaks");
  }).join();
  CHECK(counter("standin_pool_leaks") == 1);
}

CASE(blocks) {
  Block::Counts counts;
  Block block(&counts);
  void* copy = function<void*(const void*)>("_Block_copy")(&block);
  CHECK(copy != &block && counts.copies == 1);
  CHECK(function<void*(const void*)>("_Block_copy")(copy) == copy && counts.copies == 1);
  function<void(const void*)>("_Block_release")(copy);
  CHECK(counts.disposals == 0 && counter("standin_live_blocks") == 1);
  function<void(const void*)>("_Block_release")(copy);
  CHECK(counts.disposals == 1 && counter("standin_live_blocks") == 0);
}

/// The pretended system is named in the environment.
CASE(older_system) {
  const Pool pool;
  Id options = send<Id()>(send<Id()>(classNamed("MTLCompileOptions"), "alloc"), "init");
  const auto responds = [options](const char* name) {
    return send<bool(Name)>(options, "respondsToSelector:", selector(name));
  };
  CHECK(responds("setLanguageVersion:") && responds("setFastMathEnabled:"));
  CHECK(!responds("setMathMode:"));
  CHECK(!function<bool(Id, Name)>("class_respondsToSelector")(classNamed("MTLCompileOptions"), selector("setMathMode:")));
  CHECK(classNamed("MTLResidencySetDescriptor") == nullptr);
  Metal metal;
  CHECK(!send<bool(Name)>(metal.device, "respondsToSelector:", selector("architecture")));
  CHECK(send<bool(Integer)>(metal.device, "supportsFamily:", 5001));
}

CASE(newer_selector) {
  Metal metal;
  const Pool pool;
  send<Id()>(metal.device, "architecture");
}
