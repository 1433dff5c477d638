#include "compile_options.h"

#include <algorithm>

#include "../foundation/number.h"
#include "../foundation/text.h"
#include "../runtime/switches.h"
#include "parts.h"

namespace standin {

namespace {

struct LanguageOfSystem {
  int system;
  Unsigned version;
};

constexpr LanguageOfSystem languages[] = {
    {2600, MTLLanguageVersion4_0}, {1500, MTLLanguageVersion3_2}, {1400, MTLLanguageVersion3_1},
    {1300, MTLLanguageVersion3_0}, {1200, MTLLanguageVersion2_4}, {1100, MTLLanguageVersion2_3},
};

constexpr Unsigned knownVersions[] = {
    MTLLanguageVersion1_0, MTLLanguageVersion1_1, MTLLanguageVersion1_2, MTLLanguageVersion2_0,
    MTLLanguageVersion2_1, MTLLanguageVersion2_2, MTLLanguageVersion2_3, MTLLanguageVersion2_4,
    MTLLanguageVersion3_0, MTLLanguageVersion3_1, MTLLanguageVersion3_2, MTLLanguageVersion4_0,
};

std::string macroText(Object* value) {
  if (isKind(value, Text::type)) return static_cast<Text*>(value)->value;
  if (isKind(value, Number::type)) return static_cast<Number*>(value)->text;
  violation("a macro's value is a %s; NSString and NSNumber are allowed", value->isa->owner);
}

void setMacros(CompileOptions* self, Object* macros) {
  auto* dictionary = as<Dictionary>(macros, "the macros");
  self->macros = Reference<Dictionary>::keep(dictionary);
  self->macroTexts();  // checks keys and values
}

}  // namespace

std::vector<std::pair<std::string, std::string>> CompileOptions::macroTexts() const {
  std::vector<std::pair<std::string, std::string>> texts;
  if (!macros) return texts;
  for (const auto& [key, value] : macros->entries) {
    texts.emplace_back(need<Text>(key.get(), "a macro's name")->value, macroText(value.get()));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string CompileOptions::languageText() const {
  return std::to_string(languageVersion >> 16) + "." + std::to_string(languageVersion & 0xffff);
}

const char* CompileOptions::mathText() const {
  if (mathMode == MTLMathModeFast) return "fast";
  return mathMode == MTLMathModeRelaxed ? "relaxed" : "safe";
}

Unsigned newestLanguageVersion() {
  for (const LanguageOfSystem& language : languages) {
    if (language.system <= switches().version()) return language.version;
  }
  return MTLLanguageVersion2_3;
}

void defineCompileOptions() {
  Class* options = define<CompileOptions>("MTLCompileOptions");
  method(options, "setPreprocessorMacros:", +[](CompileOptions* self, Selector, Object* macros) {
    setMacros(self, macros);
  });
  method(options, "setFastMathEnabled:", +[](CompileOptions* self, Selector, bool fast) {
    self->mathMode = fast ? MTLMathModeFast : MTLMathModeSafe;
    self->functions = fast ? MTLMathFloatingPointFunctionsFast : MTLMathFloatingPointFunctionsPrecise;
  });
  method(options, "fastMathEnabled", +[](CompileOptions* self, Selector) -> bool {
    return self->mathMode == MTLMathModeFast;
  });
  method(options, "setMathMode:", +[](CompileOptions* self, Selector, Integer mode) {
    if (mode < MTLMathModeSafe || mode > MTLMathModeFast) violation("math mode %ld", mode);
    self->mathMode = mode;
  });
  method(options, "mathMode", +[](CompileOptions* self, Selector) -> Integer { return self->mathMode; });
  method(options, "setMathFloatingPointFunctions:", +[](CompileOptions* self, Selector, Integer functions) {
    if (functions < 0 || functions > MTLMathFloatingPointFunctionsPrecise) violation("functions %ld", functions);
    self->functions = functions;
  });
  method(options, "setLanguageVersion:", +[](CompileOptions* self, Selector, Unsigned version) {
    const auto* end = std::end(knownVersions);
    if (std::find(std::begin(knownVersions), end, version) == end) violation("0x%lx is no language version", version);
    self->languageVersion = version;
  });
  method(options, "languageVersion", +[](CompileOptions* self, Selector) -> Unsigned {
    return self->languageVersion == 0 ? newestLanguageVersion() : self->languageVersion;
  });
  method(options, "setOptimizationLevel:", +[](CompileOptions*, Selector, Integer level) {
    if (level < 0 || level > MTLLibraryOptimizationLevelSize) violation("optimisation level %ld", level);
  });
  method(options, "setPreserveInvariance:", +[](CompileOptions*, Selector, bool) {});
  method(options, "setMaxTotalThreadsPerThreadgroup:", +[](CompileOptions* self, Selector, Unsigned threads) {
    if (threads > 1024) violation("%lu threads; at most 1024", threads);
    self->maxTotalThreads = threads;
  });
  method(options, "setEnableLogging:", +[](CompileOptions*, Selector, bool) {});
  method(options, "setLibraryType:", +[](CompileOptions*, Selector, Integer type) {
    if (type != MTLLibraryTypeExecutable) violation("the stand-in has executable libraries alone");
  });
}

}  // namespace standin
