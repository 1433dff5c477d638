// In which order a concurrent encoder's dispatches run.
#pragma once

#include <vector>

#include "work.h"

namespace standin {

/// Indices of the dispatches. Between barriers the last comes first, or chance decides (METILE_STANDIN_SEED).
std::vector<std::size_t> concurrentOrder(const Work& work);

}  // namespace standin
