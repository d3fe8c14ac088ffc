#include "app/examples.h"

#include <algorithm>
#include <map>

#include "serve/wire.h"

namespace neo {
namespace {
using nlohmann::json;

std::string text_of(const World& world, const torch::Tensor& observation /* uint8 [N] */) {
  const auto row = observation.contiguous();
  return observation_text(world, {row.data_ptr<uint8_t>(), static_cast<size_t>(row.numel())});
}

std::vector<int64_t> numbers(const torch::Tensor& row) {
  const auto values = row.contiguous();
  return {values.data_ptr<int64_t>(), values.data_ptr<int64_t>() + values.numel()};
}

// What a program makes of x, step by step.
json trace_of(NeoImpl& model, const torch::Tensor& x, const Programs& programs, bool hard_grounding) {
  json steps = json::array();
  for (int64_t k = 1; k <= programs.lengths.item<int64_t>(); ++k) {
    const Programs prefix{programs.codes, torch::full({1}, k, torch::kLong), programs.vectors};
    steps.push_back(text_of(model.world(), execute(model, x, prefix, hard_grounding)[0]));
  }
  return steps;
}

// Programs drawn from the programmer, equal ones together; those that explain the pair first, then the most
// frequent.
json drawn_paths(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                 const ExampleOptions& options) {
  RngStream random(options.seed, "examples");
  const Candidates drawn = draw_candidates(model, x, y, options.sampling, random);
  struct Path {
    int64_t count = 0;
    bool solves = false;
  };
  std::map<std::vector<int64_t>, Path> found;
  for (int64_t i = 0; i < options.sampling.draws; ++i) {
    auto codes = numbers(drawn.codes[0][i]);
    const auto solved_after = drawn.lengths[0][i].item<int64_t>();
    if (solved_after > 0) codes.resize(static_cast<size_t>(solved_after));
    Path& path = found[codes];
    ++path.count;
    path.solves = solved_after > 0;
  }
  std::vector<std::pair<std::vector<int64_t>, Path>> order(found.begin(), found.end());
  std::ranges::stable_sort(order, std::greater{},
                           [](const auto& p) { return std::pair(p.second.solves, p.second.count); });
  order.resize(std::min(order.size(), static_cast<size_t>(options.paths)));
  json paths = json::array();
  for (const auto& [codes, path] : order) {
    const auto length = static_cast<int64_t>(codes.size());
    const Programs program{torch::tensor(codes).view({1, length}), torch::full({1}, length, torch::kLong)};
    paths.push_back({{"codes", codes},
                     {"trace", trace_of(model, x, program, /*hard_grounding=*/true)},
                     {"count", path.count},
                     {"solves", path.solves}});
  }
  return paths;
}

json example(NeoImpl& model, const EpisodeSet& episodes, int64_t index, const ExampleOptions& options) {
  const World& world = model.world();
  const TransferOptions& judging = options.judging;
  const auto row = [&](const torch::Tensor& t) { return t.narrow(0, index, 1); };
  RolloutOptions rollout{judging.steps, judging.hard_grounding};
  rollout.refinement = judging.refinement;
  const auto trajectory = induce(model, row(episodes.support_x), row(episodes.support_y), rollout);
  const Programs programs{trajectory.codes, explanation_lengths(trajectory, judging.fallback, judging.lambda),
                          trajectory.vectors};
  const auto length = programs.lengths.item<int64_t>();
  json steps = json::array();
  for (int64_t k = 0; k < length; ++k)
    steps.push_back(text_of(world, trajectory.hard[static_cast<size_t>(k)][0]));
  json result{{"split", episodes.name},
              {"index", index},
              {"support",
               {{"x", text_of(world, row(episodes.support_x)[0])},
                {"y", text_of(world, row(episodes.support_y)[0])},
                {"trace", steps}}},
              {"query",
               {{"x", text_of(world, row(episodes.query_x)[0])},
                {"y", text_of(world, row(episodes.query_y)[0])},
                {"trace", trace_of(model, row(episodes.query_x), programs, judging.hard_grounding)}}}};
  if (!episodes.programs.empty())
    result["program"] = world.program_text(episodes.programs[static_cast<size_t>(index)]);
  if (!model.has_codes()) return result;
  result["support"]["codes"] = numbers(programs.codes[0].narrow(0, 0, length));
  if (model.observation().readout().is_categorical())
    result["paths"] = drawn_paths(model, row(episodes.support_x), row(episodes.support_y), options);
  return result;
}

}  // namespace

json explained_examples(NeoImpl& model, const EpisodeSet& episodes, const ExampleOptions& options) {
  json list = json::array();
  const int64_t count = std::min(options.count, episodes.size());
  for (int64_t i = 0; i < count; ++i)  // in the middle of equal parts: neighbours often share a program
    list.push_back(example(model, episodes, (2 * i + 1) * episodes.size() / (2 * count), options));
  return list;
}

}  // namespace neo
