#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "benchmark/split_files.h"
#include "core/error.h"
#include "data/groups.h"
#include "report/published.h"
#include "view/predictions.h"

// `neo eval --predictions`: scores what somebody else's model predicted. No torch.
namespace neo {
namespace {
namespace fs = std::filesystem;

// What is to be predicted: y of every query, or of every pair where pairs do not come in groups.
std::vector<Observation> outputs_of(PairReader& reader) {
  const Part part = reader.count(Part::held_out) > 0 ? Part::held_out : Part::main;
  const PairBlock block = reader.read(part, 0, reader.count(part));
  const auto bytes = static_cast<size_t>(reader.info().space.bytes());
  const auto output = [&](int64_t row) {
    const auto begin = block.y.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(row) * bytes);
    return Observation(begin, begin + static_cast<std::ptrdiff_t>(bytes));
  };
  std::vector<Observation> queries, all;
  for (const EpisodeRows& episode : episode_rows(block.group)) {
    if (episode.query) queries.push_back(output(*episode.query));
    all.push_back(output(episode.support));
  }
  return queries.empty() ? all : queries;
}

nlohmann::json record_of(const PredictionScore& score, const PairFileInfo& info, const Benchmark* benchmark) {
  nlohmann::json record = to_json(score);
  record["split"] = info.split;
  record["benchmark"] = benchmark ? std::string(benchmark->name()) : "";
  record["alpha"] = info.alpha;
  record["published"] = nullptr;
  if (!benchmark) return record;
  if (const auto known = best_published(*benchmark, info.alpha, "neo", info.split)) record["published"] = known->value;
  return record;
}

}  // namespace

void score_predictions(const EvalCommand& command) {
  if (command.data.size() != 1)
    fail_usage("--predictions needs the one file of pairs that they are about, with --data SPLIT.h5");
  PairReader reader(command.data[0]);
  const PairFileInfo& info = reader.info();
  const auto predictions = read_predictions(command.predictions, *make_view(info.space));
  const PredictionScore score = score_predictions(info.space, predictions, outputs_of(reader));
  const nlohmann::json record = record_of(score, info, benchmark_of(info));
  if (command.json) {
    fmt::print("{}\n", record.dump(2));
    return;
  }
  fmt::print("{} predictions: {:.4f} exact, mean error {:.4f}\n", score.episodes, score.exact, score.error);
  if (!record["published"].is_null())
    fmt::print("transfer {:.4f}; published for NEO: {:.3f}\n", score.transfer, record["published"].get<double>());
}

}  // namespace neo
