// Strings between C++ and Foundation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../objc/ownership.h"

namespace metile::metal {

// Autoreleased; nil for text that is not UTF-8.
objc::id toString(const std::string& text);

// A copy; empty for nil.
std::string fromString(objc::id string);

// What an NSError says, or "no reason given".
std::string describe(objc::id error);

// Autoreleased NSDictionary of strings.
objc::id toDictionary(const std::vector<std::pair<std::string, std::string>>& pairs);

// A new object of a class.
objc::Reference make(const char* className);

}  // namespace metile::metal
