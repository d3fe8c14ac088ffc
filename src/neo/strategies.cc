#include "neo/strategies.h"

#include <algorithm>

#include "core/error.h"

namespace neo {
namespace {
// Draws per pair at which NEO-S is evaluated.
std::vector<int64_t> draw_budgets(int64_t draws, int64_t steps, const std::vector<int64_t>& calls) {
  std::vector<int64_t> budgets;
  for (int64_t bound : calls) budgets.push_back(std::max<int64_t>(1, bound / steps));
  for (int64_t budget = 1; calls.empty() && budget < draws; budget *= 2) budgets.push_back(budget);
  if (calls.empty()) budgets.push_back(draws);
  std::ranges::sort(budgets);
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

ChoiceOptions choice(const StrategyRequest& request, const std::string& usual) {
  return {choice_named(request.choice.empty() ? usual : request.choice), request.probes};
}

}  // namespace

bool StrategyRequest::wants(std::string_view strategy) const {
  if (search == strategy) return true;
  if (search == "all") return strategy != "beam";
  return search == "both" && (strategy == "policy" || strategy == "greedy" || strategy == "sample");
}

bool StrategyRequest::needs_queries() const { return search == "sample" || search == "best-first"; }

std::vector<EvaluationPass> search_passes(NeoImpl& model, const Episodes& episodes, const Policy& policy,
                                          const StrategyRequest& request) {
  std::vector<EvaluationPass> passes;
  if (!model.observation().readout().is_categorical()) {
    if (request.needs_queries())
      fail_usage("--search {} needs observations that can match exactly; search these with --search beam",
                 request.search);
    return passes;
  }
  if (!episodes.has_queries()) return passes;  // they choose between programs by what these do on a query
  if (!model.has_codes()) {
    constexpr int64_t kMostVectors = 64;
    const auto budgets = draw_budgets(std::min(policy.draws, kMostVectors), 1, request.calls);
    if (request.wants("sample") && policy.steps == 1 && !policy.refine)
      passes.push_back([=, &model, &episodes, hard = policy.hard_grounding, seed = request.seed](Progress& progress) {
        return evaluate_vector_sampling(model, episodes, budgets, hard, seed, &progress);
      });
    return passes;
  }
  const int64_t steps = policy.steps;
  const auto budgets = draw_budgets(policy.draws, steps, request.calls);
  const auto temperatures = [&request](double usual) {
    return request.temperatures.empty() ? std::vector<double>{usual} : request.temperatures;
  };
  for (double temperature : temperatures(policy.temperature)) {
    if (!request.wants("sample")) break;
    passes.push_back([=, &model, &episodes, &request](Progress& progress) {
      const SamplingOptions sampling{.draws = budgets.back(),
                                     .steps = steps,
                                     .temperature = temperature,
                                     .budgets = budgets,
                                     .without_replacement = request.without_replacement,
                                     .progress = &progress};
      return evaluate_sampling(model, episodes, sampling, request.seed, choice(request, "sequence"));
    });
  }
  BestFirstCurve curve{.search = {.depth = steps, .stop_early = request.stop_early},
                       .calls = request.calls,
                       .choice = choice(request, "description")};
  for (int64_t budget : budgets) {
    if (request.calls.empty()) curve.calls.push_back(budget * steps);
  }
  std::ranges::sort(curve.calls);
  for (double temperature : temperatures(curve.search.temperature)) {
    if (!request.wants("best-first")) break;
    curve.search.temperature = temperature;
    for (bool query : {true, false}) {
      curve.choice.query = query;
      passes.push_back([curve, &model, &episodes](Progress& progress) mutable {
        curve.progress = &progress;
        return evaluate_best_first(model, episodes, curve);
      });
    }
  }
  return passes;
}

}  // namespace neo
