#include "library.h"

#include <algorithm>

#include "../foundation/error.h"
#include "../foundation/text.h"
#include "../runtime/counters.h"
#include "../runtime/switches.h"
#include "compile_options.h"
#include "parts.h"

namespace standin {

namespace {

constexpr const char* domain = "MTLLibraryErrorDomain";

struct ConstantValues : Object {
  inline static Class* type = nullptr;
};

const Kernel* findKernel(const Library& library, const std::string& name) {
  for (const Kernel& kernel : library.module->kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

/// Text without comments, whose length and lines stay.
std::string withoutComments(std::string text) {
  for (std::size_t at = 0; at + 1 < text.size(); at++) {
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) continue;
    const bool line = text[at + 1] == '/';
    std::size_t end = text.find(line ? "\n" : "*/", at + 2);
    end = end == std::string::npos ? text.size() : line ? end : end + 2;
    for (; at < end; at++) {
      if (text[at] != '\n') text[at] = ' ';
    }
    at--;
  }
  return text;
}

/// Text without its #pragma lines: compilers pass over those that they do not know.
std::string withoutPragmas(const std::string& text) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first >= end || text.compare(first, 7, "#pragma") != 0) rest += text.substr(at, end - at);
    at = end;
  }
  return rest;
}

/// The bfloat type came with language version 3.1. A text that asks for the version itself is trusted.
bool namesMissingType(const CompileOptions& options, const std::string& source, std::string& failure) {
  if (options.languageVersion >= MTLLanguageVersion3_1) return false;
  const std::string text = withoutPragmas(withoutComments(source));
  bool named = text.find("bfloat") != std::string::npos && text.find("__METAL_VERSION__") == std::string::npos;
  for (const auto& [name, value] : options.macroTexts()) named = named || value.find("bfloat") == 0;
  if (named) failure = "program_source:1:1: error: unknown type name 'bfloat'";
  return named;
}

std::string systemText() {
  return std::to_string(switches().systemMajor) + "." + std::to_string(switches().systemMinor);
}

}  // namespace

Library* newLibrary(Object* source, Object* object, Object** error) {
  auto* text = need<Text>(source, "the source");
  auto* options = as<CompileOptions>(object, "the options");
  if (options == nullptr || options->languageVersion == 0) {
    violation("without a language version it is the one of the SDK that the running program was linked with");
  }
  if (options->languageVersion > newestLanguageVersion()) {
    giveError(error, domain, MTLLibraryErrorUnsupported,
              "language version " + options->languageText() + " is not supported by macOS " + systemText());
    return nullptr;
  }
  std::string failure;
  if (namesMissingType(*options, text->value, failure)) {
    giveError(error, domain, MTLLibraryErrorCompileFailure, failure);
    return nullptr;
  }
  const CompileRequest request{text->value, options->macroTexts(), options->languageText(), options->mathText()};
  const Module* module = compileModule(request, failure);
  if (module == nullptr) {
    giveError(error, domain, MTLLibraryErrorCompileFailure, failure);
    return nullptr;
  }
  counters().libraries.fetch_add(1);
  if (options->mathMode == MTLMathModeFast) {
    counters().fastMathLibraries.fetch_add(1);
  } else if (options->functions == MTLMathFloatingPointFunctionsFast) {
    counters().fastFunctionLibraries.fetch_add(1);
  }
  // A warning is an error object beside a library; only the library tells success.
  giveError(error, domain, MTLLibraryErrorCompileWarning, "program_source:1:1: warning: given by the stand-in always");
  return make<Library>(module, options->maxTotalThreads);
}

void defineLibrary() {
  Class* library = define<Library>("MTLLibrary");
  method(library, "newFunctionWithName:", +[](Library* self, Selector, Object* name) -> Object* {
    const Kernel* kernel = findKernel(*self, need<Text>(name, "the name")->value);
    return kernel == nullptr ? nullptr : make<Function>(*self, kernel);
  });
  // Values of constants that a kernel does not declare are ignored, and the stand-in's kernels declare none.
  method(library, "newFunctionWithName:constantValues:error:",
         +[](Library* self, Selector, Object* name, Object* values, Object** error) -> Object* {
           need<ConstantValues>(values, "the constant values");
           const std::string& text = need<Text>(name, "the name")->value;
           const Kernel* kernel = findKernel(*self, text);
           if (kernel != nullptr) return make<Function>(*self, kernel);
           giveError(error, domain, MTLLibraryErrorFunctionNotFound, "no function named " + text);
           return nullptr;
         });
  method(library, "functionNames", +[](Library* self, Selector) -> Object* {
    auto* names = lend(make<Array>());
    for (const Kernel& kernel : self->module->kernels) {
      names->items.push_back(Reference<Object>::adopt(make<Text>(kernel.name)));
    }
    return names;
  });
  method(library, "label", +[](Library* self, Selector) -> Object* { return lendText(self->label); });
  method(library, "setLabel:", +[](Library* self, Selector, Object* label) {
    self->label = need<Text>(label, "the label")->value;
  });

  Class* function = define<Function>("MTLFunction");
  method(function, "name", +[](Function* self, Selector) -> Object* { return lendText(self->kernel->name); });
  method(function, "functionType", +[](Function*, Selector) -> Unsigned { return MTLFunctionTypeKernel; });
  method(function, "functionConstantsDictionary", +[](Function*, Selector) -> Object* {
    return lend(make<Dictionary>());
  });
  method(function, "label", +[](Function* self, Selector) -> Object* { return lendText(self->label); });
  method(function, "setLabel:", +[](Function* self, Selector, Object* label) {
    self->label = need<Text>(label, "the label")->value;
  });

  Class* values = define<ConstantValues>("MTLFunctionConstantValues");
  method(values, "setConstantValue:type:atIndex:", +[](ConstantValues*, Selector, const void* value, Unsigned, Unsigned) {
    if (value == nullptr) violation("the value is NULL");
  });
  method(values, "setConstantValue:type:withName:",
         +[](ConstantValues*, Selector, const void* value, Unsigned, Object* name) {
           if (value == nullptr) violation("the value is NULL");
           need<Text>(name, "the name");
         });
  method(values, "setConstantValues:type:withRange:", +[](ConstantValues*, Selector, const void* value, Unsigned, Range) {
    if (value == nullptr) violation("the values are NULL");
  });
  method(values, "reset", +[](ConstantValues*, Selector) {});
}

}  // namespace standin
