#include "report/published.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace neo {

bool less_is_better(Kind kind) { return kind != Kind::categorical; }

bool same_alpha(double a, double b) { return std::abs(a - b) < 1e-6; }

std::optional<Published> published_figure(const std::string& source, const Benchmark& benchmark, double alpha,
                                          const std::string& method, const std::string& split,
                                          Measure measure) {
  for (const auto& row : benchmark.published().at("figures")) {
    if (row.at("source") != source || row.at("method") != method ||
        !same_alpha(row.at("alpha").get<double>(), alpha) || !row.contains(split) || row.at(split).is_null())
      continue;
    const auto& value = row.at(split).at(measure == Measure::kSelf ? 0 : 1);
    if (!value.is_null()) return Published{value.get<double>(), row.value("rounding", 0.001)};
  }
  return std::nullopt;
}

std::optional<Published> best_published(const Benchmark& benchmark, double alpha, const std::string& method,
                                        const std::string& split) {
  const auto paper = published_figure("paper", benchmark, alpha, method, split, Measure::kTransfer);
  const auto release = published_figure("release", benchmark, alpha, method, split, Measure::kTransfer);
  if (!paper || !release) return paper ? paper : release;
  return (paper->value < release->value) == less_is_better(benchmark.space().kind) ? paper : release;
}

}  // namespace neo
