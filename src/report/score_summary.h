#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace neo {

// What `neo eval` shows of its record, in lines of a page: at most three rows for each split, the largest budget of
// each search, with the published figure beside it where the pairs are the benchmark's own (`benchmark_splits`).
std::string score_summary(const nlohmann::json& record, bool benchmark_splits);
// Every search at every budget.
std::string score_curve(const nlohmann::json& record);

}  // namespace neo
