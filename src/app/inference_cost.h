#pragma once

#include <nlohmann/json.hpp>

#include "eval/transfer.h"

namespace neo {

struct InferenceCostOptions {
  TransferOptions judging;
  SamplingOptions sampling;  // NEO-S, with all its draws and with eight
  int64_t beam_width = 24;   // images: of the beam that takes its place
  std::string method = "neo";
};

// What explaining a batch and transferring it costs, in batches of the paper's size (128, 512, 64 episodes):
//   {"processor", "threads", "load": of the machine when it was measured,
//    "inference": [{"method", "budget", "batch", "ms_per_batch"}, ...]}, medians over three batches.
nlohmann::json inference_cost(NeoImpl& model, const EpisodeSet& episodes,
                              const InferenceCostOptions& options);

}  // namespace neo
