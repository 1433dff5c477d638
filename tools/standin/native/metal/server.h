// The child process that compiles kernels: one line of JSON to it, one back.
#pragma once

#include <string>

#include "json.h"

namespace standin {

/// Asks the server, which is started at the first request and again when it has died.
/// @returns false when there is no answer; `failure` says why, in one sentence
bool askServer(const std::string& request, Json& answer, std::string& failure);

}  // namespace standin
