#pragma once

#include <nlohmann/json.hpp>

#include "eval/scores.h"
#include "view/view.h"

namespace neo {

struct ExampleOptions {
  Policy policy;
  int64_t count = 2;   // episodes, spread over the split
  int64_t paths = 16;  // programs to keep of those drawn beside the chosen one
  uint64_t seed = 42;
};

// Episodes with every step of their explanation and of its transfer, for figures:
//   {"split", "index", "program": "move_up move_left",
//    "support": {"x", "y", "trace": [...], "codes": [...]}, "query": {"x", "y", "trace": [...]},
//    "paths": [{"codes": [...], "trace": [...], "count", "solves"}, ...]}
// Observations are texts (View::text); a trace begins after x. `codes` and `paths` only where a theory has
// codes, `paths` only where observations can be met exactly.
nlohmann::json explained_examples(NeoImpl& model, const View& view, const Episodes& episodes,
                                  const ExampleOptions& options);

}  // namespace neo
