#pragma once

#include "rollout/rollout.h"

namespace neo {

// Programs that were tried on each of E pairs, in the order in which a search found them.
struct Candidates {
  torch::Tensor codes;    // [E, M, K]
  torch::Tensor lengths;  // [E, M] steps to the exact match; 0: none
  // [E, M] log q(program) under the programmer. Undefined for draws with replacement, where
  // likelier programs come more often.
  torch::Tensor log_probability;
};

}  // namespace neo
