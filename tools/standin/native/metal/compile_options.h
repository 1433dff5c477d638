// MTLCompileOptions.
#pragma once

#include "../../generated/values.h"
#include "../foundation/collections.h"

namespace standin {

struct CompileOptions : Object {
  inline static Class* type = nullptr;
  Reference<Dictionary> macros;
  Unsigned languageVersion = 0;  // 0: never set, so that the version hangs on how the program was linked
  Integer mathMode = MTLMathModeFast;
  Integer functions = MTLMathFloatingPointFunctionsFast;
  Unsigned maxTotalThreads = 0;

  std::vector<std::pair<std::string, std::string>> macroTexts() const;
  std::string languageText() const;  // "3.1"
  const char* mathText() const;
};

/// The newest language version of the pretended system.
Unsigned newestLanguageVersion();

}  // namespace standin
