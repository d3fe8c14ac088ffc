#include "neo/signature.h"

#include <fmt/format.h>

#include <filesystem>

#include "benchmark/split_files.h"
#include "neo/training.h"
#include "train/presets.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr int64_t kSteps = 6, kWakeSteps = 4;
constexpr int64_t kEpisodes = 32, kBatch = 16;
constexpr double kTolerance = 2e-3;  // relative: processors round differently

Pairs sampled_pairs(const Benchmark& benchmark) {
  std::vector<Pair> list;
  for (int32_t i = 0; i < kEpisodes; ++i) {
    const auto [support, query] = pairs_of(benchmark, benchmark.sample(1 + i % 2, static_cast<uint64_t>(i)), i);
    list.push_back(support);
    list.push_back(query);
  }
  return to_pairs("signature", benchmark.space(), list);
}

// Own data of a layout that no benchmark has: values that move one place, or numbers that grow.
Pairs made_pairs(Layout layout) {
  constexpr size_t kElements = 12;
  const bool moves = layout == Layout::sequence;
  const Space space{.kind = moves ? Kind::categorical : Kind::real,
                    .layout = layout,
                    .shape = {kElements},
                    .values = moves ? std::vector<int64_t>{10} : std::vector<int64_t>{}};
  RngStream random(/*seed=*/1, "signature");
  std::vector<Pair> list;
  for (int64_t i = 0; i < 2 * kEpisodes; ++i) {
    std::vector<double> x(kElements), y(kElements);
    for (double& value : x) value = static_cast<double>(random.below(10));
    for (size_t e = 0; e < kElements; ++e) y[e] = moves ? x[(e + 1) % kElements] : x[e] + static_cast<double>(i % 2);
    list.push_back({.x = observation_of(space, x), .y = observation_of(space, y)});
  }
  return to_pairs("signature", space, list);
}

double signature_of(const std::string& family, const std::string& preset, const Pairs& pairs) {
  TrainRequest request;
  request.config = load_preset(family, preset, 0.33);
  request.config.steps = kSteps;
  request.config.batch = kBatch;
  for (int64_t* steps : {&request.config.wake_sleep.wake_steps, &request.config.latent_wake_sleep.wake_steps})
    *steps = std::min(*steps, kWakeSteps);
  request.config.wake_sleep.dream_start = 0;
  request.config.resets.patience = 0;
  request.seed = 1;
  // The shipped observation model, or (where none is shipped) one as it is initialised.
  const fs::path shipped = observation_weights_path(family, request.config);
  request.prepare_observation = [&](ObservationModel& model) {
    if (fs::exists(shipped)) load_observation_model(shipped, model, request.config.model.observation);
  };
  Training training(request, pairs);
  double sum = 0;
  while (training.step() < training.total_steps()) sum += training.advance().loss;
  return sum;
}

}  // namespace

nlohmann::json recipe_signatures() {
  torch::set_num_threads(1);
  nlohmann::json found;
  for (const Layout layout : {Layout::sequence, Layout::vector}) {
    const std::string family(layout_name(layout));
    for (const std::string& preset : preset_names(family))
      found[family + "-" + preset] = signature_of(family, preset, made_pairs(layout));
  }
  for (const Benchmark* benchmark : benchmarks()) {
    const Pairs pairs = sampled_pairs(*benchmark);
    const std::string name(benchmark->name()), layout(layout_name(benchmark->space().layout));
    for (const std::string& family : {name, layout}) {  // own data of the same layout
      for (const std::string& preset : preset_names(family))
        found[family + "-" + preset] = signature_of(family, preset, pairs);
    }
  }
  return found;
}

std::vector<std::string> signature_differences(const nlohmann::json& found, const nlohmann::json& known) {
  std::vector<std::string> list;
  for (const auto& [recipe, value] : found.items()) {
    if (!known.contains(recipe)) {
      list.push_back(recipe + " is new");
      continue;
    }
    const double was = known[recipe], is = value;
    if (std::abs(is - was) > kTolerance * std::abs(was))
      list.push_back(fmt::format("{} was {:.5g}, is {:.5g}", recipe, was, is));
  }
  for (const auto& [recipe, value] : known.items())
    if (!found.contains(recipe)) list.push_back(recipe + " is gone");
  return list;
}

}  // namespace neo
