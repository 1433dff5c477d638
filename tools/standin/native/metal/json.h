// As much JSON as the compile server speaks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace standin {

struct Json {
  enum class Kind { null, boolean, number, text, list, record };

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Json> list;
  std::vector<std::pair<std::string, Json>> record;

  /// A member of a record; null when there is none.
  const Json& at(std::string_view name) const;
};

/// False when the text is no JSON.
bool parseJson(std::string_view text, Json& into);

/// A string with quotes and escapes.
std::string quoteJson(std::string_view text);

}  // namespace standin
