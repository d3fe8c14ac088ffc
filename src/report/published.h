#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/statistics.h"

namespace neo {

// The figures of the paper and of the authors' release (report/published.json).
const nlohmann::json& published_data();

enum class Measure { kSelf, kTransfer };
// `source`: paper or release; `split`: id, comp or length. Nothing where it was not published.
std::optional<Published> published_figure(const std::string& source, const std::string& world, double alpha,
                                          const std::string& method, const std::string& split,
                                          Measure measure);
// The better of both sources.
std::optional<Published> best_published(const std::string& world, double alpha, const std::string& method,
                                        const std::string& split);

// Whether a world is judged by an error (L1) instead of a share of exact answers.
bool less_is_better(const std::string& world);
bool same_alpha(double a, double b);

}  // namespace neo
