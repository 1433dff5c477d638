// JavaScript errors made of native failures and faults.
#pragma once

#include <node_api.h>

#include "../stream/failure.h"
#include "../stream/fault.h"

namespace metile {

// An Error with code "METILE_FAULT", `operation`, and `status` when the kernel set its status words. Plain Node-API with
// checked results: it is called where the environment may be ending. False when it refuses.
bool makeFaultError(napi_env env, const Fault& fault, napi_value* error) noexcept;

// TypeError, RangeError, or an Error with code "METILE_MEMORY" (requested, live, cached, limit), "METILE_LIBRARY",
// "METILE_KERNEL" or "METILE_DEVICE".
bool makeFailureError(napi_env env, const Failure& failure, napi_value* error) noexcept;

}  // namespace metile
