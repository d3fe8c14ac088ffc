#pragma once

#include <nlohmann/json.hpp>

#include "eval/transfer.h"

namespace neo {

struct ExampleOptions {
  TransferOptions judging;
  int64_t count = 2;                             // episodes, spread over the split
  SamplingOptions sampling{.temperature = 0.3};  // of the programs drawn beside the chosen one
  int64_t paths = 16;                            // how many of them to keep
  uint64_t seed = 42;
};

// Episodes with every step of their explanation and of its transfer, for figures:
//   {"split", "index", "program": "move_up move_left",
//    "support": {"x", "y", "trace": [...], "codes": [...]}, "query": {"x", "y", "trace": [...]},
//    "paths": [{"codes": [...], "trace": [...], "count", "solves"}, ...]}
// Observations are texts (serve/wire.h); a trace begins after x. `codes` and `paths` only where a theory has
// codes, `paths` only where observations can be met exactly.
nlohmann::json explained_examples(NeoImpl& model, const EpisodeSet& episodes, const ExampleOptions& options);

}  // namespace neo
