#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace neo {

// How a run learned, from its metrics: at most a hundred points, each the mean over the steps since the one
// before:
//   {"steps": [...], "mean_length": [...], "perplexity": [...], "usage": [[share of each code], ...],
//    "loss": [...], "solved": [...], "validation": [{"step", "score", ...}, ...]}
// Null where the run has no metrics.
nlohmann::json training_summary(const std::filesystem::path& run);

// What it cost: {"steps", "seconds", "ms_per_batch"}, the median over the checkpoint intervals, of the steps
// that count (a resumed run goes back to its checkpoint). Null without timing files.
nlohmann::json training_cost(const std::filesystem::path& run);

// The last step that a run has recorded, checkpoint or not; 0 where there is none.
int64_t last_step(const std::filesystem::path& run);

}  // namespace neo
