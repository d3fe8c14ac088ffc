#pragma once

#include <optional>
#include <string>

#include "benchmark/benchmark.h"
#include "report/statistics.h"

namespace neo {

enum class Measure { kSelf, kTransfer };
// The paper's or the authors' release's figure (published.json of the benchmark). `source`: paper or release;
// `split`: id, comp or length. Nothing where it was not published.
std::optional<Published> published_figure(const std::string& source, const Benchmark& benchmark, double alpha,
                                          const std::string& method, const std::string& split,
                                          Measure measure);
// The better of both sources.
std::optional<Published> best_published(const Benchmark& benchmark, double alpha, const std::string& method,
                                        const std::string& split);

// Whether observations of a kind are scored by an error (L1) instead of a share of exact answers.
bool less_is_better(Kind kind);
bool same_alpha(double a, double b);

}  // namespace neo
