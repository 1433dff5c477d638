#include "abi.h"

#include <map>

#include "messages.h"
#include "text.h"
#include "values.h"

namespace metile::metal {
namespace {

using objc::id;
using objc::Reference;
using objc::runtime;

// One receiver of each kind, by the names of the first column of messages.h.
class Receivers {
 public:
  Receivers(id device, const Facts& facts) {
    all_["AnyClass"] = runtime.getClass("MTLCompileOptions");
    all_["StringClass"] = runtime.getClass("NSString");
    all_["DictionaryClass"] = runtime.getClass("NSDictionary");
    all_["ProcessInfoClass"] = runtime.getClass("NSProcessInfo");
    all_["ProcessInfo"] = send::processInfo(all_["ProcessInfoClass"]);
    all_["String"] = toString("text");
    all_["Device"] = device;
    all_["Any"] = device;
    if (send::respondsToSelector(device, send::architecture.selector())) all_["Architecture"] = send::architecture(device);
    all_["Array"] = own(Reference::adopt(runtime.copyAllDevices()));
    all_["CommandQueue"] = own(Reference::adopt(send::newCommandQueue(device)));
    all_["Buffer"] = own(Reference::adopt(send::newBufferWithLength(device, 16, resourceShared)));
    compile(device, facts);
    encode();
  }

  ~Receivers() {
    if (id encoder = all_["Encoder"]) send::endEncoding(encoder);
  }

  id find(const char* kind) const {
    const auto found = all_.find(kind);
    return found == all_.end() ? nullptr : found->second;
  }

 private:
  id own(Reference reference) {
    const id object = reference.get();
    owned_.push_back(std::move(reference));
    return object;
  }

  void compile(id device, const Facts& facts) {
    const id options = all_["CompileOptions"] = own(make("MTLCompileOptions"));
    send::setLanguageVersion(options, languageVersion(facts.languageMajor, facts.languageMinor));
    const id text = toString("kernel void probe(device float* value [[buffer(0)]]) { value[0] = 1.0f; }\n");
    id error = nullptr;
    const id library = all_["Library"] = own(Reference::adopt(send::newLibraryWithSource(device, text, options, &error)));
    const Reference function = Reference::adopt(send::newFunctionWithName(library, toString("probe")));
    const id descriptor = all_["PipelineDescriptor"] = own(make("MTLComputePipelineDescriptor"));
    send::setComputeFunction(descriptor, function.get());
    all_["Pipeline"] = own(Reference::adopt(send::newComputePipelineState(device, descriptor, 0, nullptr, &error)));
    error = nullptr;
    Reference::adopt(send::newLibraryWithSource(device, toString("#error wanted\n"), options, &error));
    all_["Error"] = error;
  }

  void encode() {
    const id buffer = all_["CommandBuffer"] = send::commandBuffer(all_["CommandQueue"]);
    all_["Encoder"] = send::computeCommandEncoder(buffer, dispatchConcurrent);
  }

  std::map<std::string, id> all_;
  std::vector<Reference> owned_;
};

// Messages that a system may lack, because they are newer than the oldest one we run on. The host asks before it sends them.
bool mayBeMissing(const char* selector) {
  const std::string name = selector;
  return name == "architecture" || name == "setMathMode:" || name == "setMathFloatingPointFunctions:";
}

// An encoding with all pointers alike: objects, classes, selectors, blocks, text and addresses travel the same way.
std::string abiOf(const std::string& encoding) {
  std::string plain;
  for (std::size_t at = 0; at < encoding.size(); at++) {
    const char letter = encoding[at];
    if (letter == '^') {
      while (at + 1 < encoding.size() && encoding[at + 1] == '^') at++;
      if (at + 1 < encoding.size() && encoding[at + 1] == '{') {
        while (at + 1 < encoding.size() && encoding[at + 1] != '}') at++;
      }
      at++;
      plain += '@';
    } else if (letter == '@' || letter == '#' || letter == ':' || letter == '*') {
      plain += '@';
      if (letter == '@' && at + 1 < encoding.size() && encoding[at + 1] == '?') at++;
    } else {
      plain += letter;
    }
  }
  return plain;
}

// One function for all messages: a copy for each prototype took 40 KB of the addon.
void compareMethod(const Receivers& receivers, const char* kind, const char* name, objc::SEL selector,
                   const std::string& encoding, AbiReport& report) {
  const id receiver = receivers.find(kind);
  if (receiver == nullptr) {
    if (report.unreached.empty() || report.unreached.back() != kind) report.unreached.push_back(kind);
    return;
  }
  const objc::Class type = runtime.classOf(receiver);
  void* method = runtime.instanceMethod(type, selector);
  if (method == nullptr && mayBeMissing(name)) return;
  report.checked += 1;
  const std::string ours = objc::plainEncoding(encoding.c_str());
  const std::string theirs = method == nullptr ? "" : objc::plainEncoding(runtime.methodEncoding(method));
  if (abiOf(ours) != abiOf(theirs)) report.differences.push_back({kind, name, ours, theirs});
}

template <typename Prototype>
void compare(const Receivers& receivers, const char* kind, const objc::Message<Prototype>& message, AbiReport& report) {
  compareMethod(receivers, kind, message.name(), message.selector(), message.encoding(), report);
}

}  // namespace

AbiReport checkAbi(id device, const Facts& facts) {
  const objc::Pool pool;
  const Receivers receivers(device, facts);
  AbiReport report;
#define METILE_COMPARE(kind, name, text, prototype) compare(receivers, #kind, send::name, report);
  METILE_METAL_MESSAGES(METILE_COMPARE)
#undef METILE_COMPARE
  return report;
}

}  // namespace metile::metal
