// std::string in macOS's layout. On arm64, macOS's libc++ keeps a string's characters first and its size last; Linux's has
// it the other way round. So these functions are made a second time, with that layout and in a namespace of their own.
#undef _LIBCPP_ABI_NAMESPACE
#define _LIBCPP_ABI_NAMESPACE __apple
#define _LIBCPP_ABI_ALTERNATE_STRING_LAYOUT

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

_LIBCPP_BEGIN_NAMESPACE_STD

#define INSTANTIATE(...) template __VA_ARGS__;
_LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(INSTANTIATE, char)
template string operator+<char, char_traits<char>, allocator<char>>(const char*, const string&);

namespace {

template <typename Number>
string formatted(const char* format, Number number) {
  char text[512];  // the largest double has 317 characters
  std::snprintf(text, sizeof text, format, number);
  return text;
}

}  // namespace

string to_string(int number) { return formatted("%d", number); }
string to_string(unsigned number) { return formatted("%u", number); }
string to_string(long number) { return formatted("%ld", number); }
string to_string(unsigned long number) { return formatted("%lu", number); }
string to_string(long long number) { return formatted("%lld", number); }
string to_string(unsigned long long number) { return formatted("%llu", number); }
string to_string(float number) { return formatted("%f", static_cast<double>(number)); }
string to_string(double number) { return formatted("%f", number); }

void __libcpp_verbose_abort(const char*, ...) { std::abort(); }

_LIBCPP_END_NAMESPACE_STD

namespace std {

logic_error::logic_error(const string& text) : logic_error(text.c_str()) {}
runtime_error::runtime_error(const string& text) : runtime_error(text.c_str()) {}

}  // namespace std
