#pragma once

#include <nlohmann/json.hpp>

#include "eval/scores.h"

namespace neo {

struct InferenceCostOptions {
  Policy policy;      // NEO-S with all its draws and with eight; where nothing is exact, a beam in its place
  int64_t batch = 128;  // episodes
  std::string method = "neo";
};

// The cost of explaining a batch and transferring it, in batches of the paper's size:
//   {"processor", "threads", "load": of the machine during the measurement,
//    "inference": [{"method", "budget", "batch", "ms_per_batch"}, ...]}, medians over three batches.
nlohmann::json inference_cost(NeoImpl& model, const Episodes& episodes,
                              const InferenceCostOptions& options);

}  // namespace neo
