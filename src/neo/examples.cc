#include "neo/examples.h"

#include <algorithm>
#include <map>

#include "observe/tensors.h"
#include "search/sampling.h"

namespace neo {
namespace {
using nlohmann::json;

std::string text_of(const View& view, const torch::Tensor& observation /* [N] */) {
  return view.text(to_observation(observation));
}

std::vector<int64_t> numbers(const torch::Tensor& row) {
  const auto values = row.contiguous();
  return {values.data_ptr<int64_t>(), values.data_ptr<int64_t>() + values.numel()};
}

// The observations of one row after each of its first `length` steps.
json steps_of(const View& view, const Trajectory& t, int64_t length) {
  json steps = json::array();
  for (int64_t k = 1; k <= length; ++k) steps.push_back(text_of(view, t.observations[static_cast<size_t>(k)][0]));
  return steps;
}

// The result of a program on x after each step.
json trace_of(NeoImpl& model, const View& view, const torch::Tensor& x, const Programs& programs, bool hard_grounding) {
  return steps_of(view, run_programs(model, x, {}, programs, {.hard_grounding = hard_grounding}),
                  programs.lengths.item<int64_t>());
}

// Programs drawn from the programmer, equal ones together; those that explain the pair first, then the most
// frequent.
json drawn_paths(NeoImpl& model, const View& view, const torch::Tensor& x, const torch::Tensor& y,
                 const ExampleOptions& options) {
  RngStream random(options.seed, "examples");
  const Policy& policy = options.policy;
  const Candidates drawn =
      draw_candidates(model, x, y, {.draws = policy.draws, .steps = policy.steps, .temperature = policy.temperature}, random);
  struct Path {
    int64_t count = 0;
    bool solves = false;
  };
  std::map<std::vector<int64_t>, Path> found;
  for (int64_t i = 0; i < policy.draws; ++i) {
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
                     {"trace", trace_of(model, view, x, program, /*hard_grounding=*/true)},
                     {"count", path.count},
                     {"solves", path.solves}});
  }
  return paths;
}

json example(NeoImpl& model, const View& view, const Episodes& episodes, int64_t index, const ExampleOptions& options) {
  const Episodes one = narrow(episodes, index, 1);
  const Explanations found = explain_pairs(model, one.support_x, one.support_y, options.policy);
  const auto length = found.programs.lengths.item<int64_t>();
  json result{{"split", episodes.name},
              {"index", index},
              {"support",
               {{"x", text_of(view, one.support_x[0])},
                {"y", text_of(view, one.support_y[0])},
                {"trace", steps_of(view, found.trajectory, length)}}}};
  if (one.has_queries())
    result["query"] = {{"x", text_of(view, one.query_x[0])},
                       {"y", text_of(view, one.query_y[0])},
                       {"trace", trace_of(model, view, one.query_x, found.programs, options.policy.hard_grounding)}};
  if (!one.programs.empty()) result["program"] = one.programs[0];
  if (!model.has_codes()) return result;
  result["support"]["codes"] = numbers(found.programs.codes[0].narrow(0, 0, length));
  if (model.space().is_categorical())
    result["paths"] = drawn_paths(model, view, one.support_x, one.support_y, options);
  return result;
}

}  // namespace

json explained_examples(NeoImpl& model, const View& view, const Episodes& episodes, const ExampleOptions& options) {
  json list = json::array();
  const int64_t count = std::min(options.count, episodes.size());
  for (int64_t i = 0; i < count; ++i)  // in the middle of equal parts: neighbours often share a program
    list.push_back(example(model, view, episodes, (2 * i + 1) * episodes.size() / (2 * count), options));
  return list;
}

}  // namespace neo
