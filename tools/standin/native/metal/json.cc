#include "json.h"

#include <cstdio>
#include <cstdlib>

namespace standin {

namespace {

void appendUtf8(std::string& to, unsigned code) {
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xc0 | code >> 6);
    to += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    to += static_cast<char>(0xe0 | code >> 12);
    to += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    to += static_cast<char>(0xf0 | code >> 18);
    to += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    to += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool value(Json& into) {
    skip();
    if (rest_.empty()) return false;
    switch (rest_.front()) {
      case '{':
        return record(into);
      case '[':
        return list(into);
      case '"':
        into.kind = Json::Kind::text;
        return string(into.text);
      case 't':
        into.boolean = true;
        [[fallthrough]];
      case 'f':
        into.kind = Json::Kind::boolean;
        return word(into.boolean ? "true" : "false");
      case 'n':
        return word("null");
      default:
        return number(into);
    }
  }

  bool atEnd() {
    skip();
    return rest_.empty();
  }

 private:
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\r' ||
                              rest_.front() == '\t')) {
      rest_.remove_prefix(1);
    }
  }

  bool take(char expected) {
    skip();
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool word(std::string_view expected) {
    if (rest_.substr(0, expected.size()) != expected) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool number(Json& into) {
    const std::string text(rest_.substr(0, 40));
    char* end = nullptr;
    into.number = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return false;
    into.kind = Json::Kind::number;
    rest_.remove_prefix(static_cast<std::size_t>(end - text.c_str()));
    return true;
  }

  bool hexadecimal(unsigned& code) {
    if (rest_.size() < 4) return false;
    code = static_cast<unsigned>(std::strtoul(std::string(rest_.substr(0, 4)).c_str(), nullptr, 16));
    rest_.remove_prefix(4);
    return true;
  }

  bool escape(std::string& into) {
    if (rest_.empty()) return false;
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    switch (letter) {
      case 'n':
        into += '\n';
        return true;
      case 't':
        into += '\t';
        return true;
      case 'r':
        into += '\r';
        return true;
      case 'b':
        into += '\b';
        return true;
      case 'f':
        into += '\f';
        return true;
      case 'u': {
        unsigned code = 0;
        unsigned low = 0;
        if (!hexadecimal(code)) return false;
        if (code >= 0xd800 && code < 0xdc00) {
          if (!word("\\u") || !hexadecimal(low)) return false;
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        appendUtf8(into, code);
        return true;
      }
      default:
        into += letter;
        return true;
    }
  }

  bool string(std::string& into) {
    if (!take('"')) return false;
    while (!rest_.empty()) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '"') return true;
      if (letter != '\\') {
        into += letter;
      } else if (!escape(into)) {
        return false;
      }
    }
    return false;
  }

  bool list(Json& into) {
    into.kind = Json::Kind::list;
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      into.list.emplace_back();
      if (!value(into.list.back())) return false;
    } while (take(','));
    return take(']');
  }

  bool record(Json& into) {
    into.kind = Json::Kind::record;
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      skip();
      into.record.emplace_back();
      if (!string(into.record.back().first) || !take(':') || !value(into.record.back().second)) return false;
    } while (take(','));
    return take('}');
  }

  std::string_view rest_;
};

}  // namespace

const Json& Json::at(std::string_view name) const {
  static const auto* none = new Json;
  for (const auto& [key, value] : record) {
    if (key == name) return value;
  }
  return *none;
}

bool parseJson(std::string_view text, Json& into) {
  Reader reader(text);
  return reader.value(into) && reader.atEnd();
}

std::string quoteJson(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (letter == '\n') {
      quoted += "\\n";
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
      quoted += code;
    } else {
      quoted += letter;
    }
  }
  return quoted + '"';
}

}  // namespace standin
