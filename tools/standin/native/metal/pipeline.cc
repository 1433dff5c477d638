#include "pipeline.h"

#include "../../generated/values.h"
#include "../foundation/collections.h"
#include "../foundation/error.h"
#include "../foundation/text.h"
#include "../runtime/counters.h"
#include "../runtime/switches.h"
#include "parts.h"

namespace standin {

namespace {

struct PipelineDescriptor : Object {
  inline static Class* type = nullptr;
  Reference<Function> function;
  Unsigned maxTotalThreads = 0;
  std::string label;
};

/// What the compiler was told beats what registers would allow: it then makes the kernel fit.
Unsigned threadsOf(const Function& function, Unsigned asked) {
  if (asked != 0) return asked;
  return function.maxTotalThreads != 0 ? function.maxTotalThreads : switches().pipelineThreads;
}

Pipeline* create(const Function& function, Unsigned asked) {
  counters().pipelines.fetch_add(1);
  return make<Pipeline>(function, threadsOf(function, asked));
}

void defineDescriptor() {
  Class* descriptor = define<PipelineDescriptor>("MTLComputePipelineDescriptor");
  method(descriptor, "setComputeFunction:", +[](PipelineDescriptor* self, Selector, Object* function) {
    self->function = Reference<Function>::keep(as<Function>(function, "the function"));
  });
  method(descriptor, "setThreadGroupSizeIsMultipleOfThreadExecutionWidth:", +[](PipelineDescriptor*, Selector, bool) {});
  method(descriptor, "setMaxTotalThreadsPerThreadgroup:", +[](PipelineDescriptor* self, Selector, Unsigned threads) {
    if (threads > 1024) violation("%lu threads; at most 1024", threads);
    self->maxTotalThreads = threads;
  });
  method(descriptor, "setLabel:", +[](PipelineDescriptor* self, Selector, Object* label) {
    self->label = need<Text>(label, "the label")->value;
  });
  method(descriptor, "setBinaryArchives:", +[](PipelineDescriptor*, Selector, Object* archives) {
    auto* array = as<Array>(archives, "the archives");
    if (array != nullptr && !array->items.empty()) violation("the stand-in has no binary archives");
  });
  method(descriptor, "setSupportIndirectCommandBuffers:", +[](PipelineDescriptor*, Selector, bool) {});
  method(descriptor, "setShaderValidation:", +[](PipelineDescriptor*, Selector, Integer) {});
  method(descriptor, "reset", +[](PipelineDescriptor* self, Selector) {
    self->function = {};
    self->maxTotalThreads = 0;
    self->label.clear();
  });
}

}  // namespace

Object* newPipeline(Object* function) { return create(*need<Function>(function, "the function"), 0); }

Object* newPipelineOfDescriptor(Object* object, Unsigned options, Object** error) {
  auto* descriptor = need<PipelineDescriptor>(object, "the descriptor");
  if (!descriptor->function) violation("the descriptor has no function");
  if (options & MTLPipelineOptionFailOnBinaryArchiveMiss) {
    giveError(error, "MTLBinaryArchiveDomain", MTLBinaryArchiveErrorCompilationFailure, "no archive holds the pipeline");
    return nullptr;
  }
  Pipeline* pipeline = create(*descriptor->function.get(), descriptor->maxTotalThreads);
  pipeline->label = descriptor->label;
  return pipeline;
}

void definePipeline() {
  defineDescriptor();
  Class* pipeline = define<Pipeline>("MTLComputePipelineState");
  method(pipeline, "maxTotalThreadsPerThreadgroup", +[](Pipeline* self, Selector) -> Unsigned {
    return self->maxTotalThreads;
  });
  method(pipeline, "threadExecutionWidth", +[](Pipeline*, Selector) -> Unsigned { return 32; });
  method(pipeline, "staticThreadgroupMemoryLength", +[](Pipeline* self, Selector) -> Unsigned {
    return self->kernel->threadgroupBytes;
  });
  method(pipeline, "label", +[](Pipeline* self, Selector) -> Object* {
    return self->label.empty() ? nullptr : lendText(self->label);
  });
  method(pipeline, "gpuResourceID", +[](Pipeline* self, Selector) -> ResourceIdentifier {
    return {reinterpret_cast<std::uint64_t>(self)};
  });
}

}  // namespace standin
