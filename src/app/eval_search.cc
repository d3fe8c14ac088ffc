#include "app/eval_search.h"

#include <algorithm>

#include "core/error.h"

namespace neo {
namespace {
// Draws per pair at which NEO-S is judged.
std::vector<int64_t> draw_budgets(int64_t draws, int64_t steps, const std::vector<int64_t>& calls) {
  std::vector<int64_t> budgets;
  for (int64_t bound : calls) budgets.push_back(std::max<int64_t>(1, bound / steps));
  for (int64_t budget = 1; calls.empty() && budget < draws; budget *= 2) budgets.push_back(budget);
  if (calls.empty()) budgets.push_back(draws);
  std::ranges::sort(budgets);
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

ChoiceOptions choice(const SearchFlags& flags, const std::string& usual) {
  return {choice_named(flags.choice.empty() ? usual : flags.choice), flags.probes};
}

}  // namespace

bool SearchFlags::wants(std::string_view strategy) const {
  return search == strategy || search == "all" || (search == "both" && strategy != "best-first");
}

std::vector<SplitScore> evaluate_searches(NeoImpl& model, const EpisodeSet& episodes,
                                          const EvaluationConfig& config, int64_t steps,
                                          const SearchFlags& flags) {
  std::vector<SplitScore> scores;
  const auto add = [&scores](const std::vector<SplitScore>& more) {
    scores.insert(scores.end(), more.begin(), more.end());
  };
  if (!model.observation().readout().is_categorical()) {
    if (flags.search == "best-first")
      fail_usage("best-first needs observations that can match exactly; search images with --search sample");
    if (flags.wants("sample")) scores.push_back(evaluate_latent_beam(model, episodes, steps, kBeamWidth));
    return scores;
  }
  const auto budgets = draw_budgets(flags.draws > 0 ? flags.draws : config.draws, steps, flags.calls);
  const auto temperatures = [&flags](double usual) {
    return flags.temperatures.empty() ? std::vector<double>{usual} : flags.temperatures;
  };
  for (double temperature : temperatures(config.temperature)) {
    if (!flags.wants("sample")) break;
    const SamplingOptions sampling{.draws = budgets.back(),
                                   .steps = steps,
                                   .temperature = temperature,
                                   .budgets = budgets,
                                   .without_replacement = flags.without_replacement};
    add(evaluate_sampling(model, episodes, sampling, flags.seed, choice(flags, "sequence")));
  }
  BestFirstCurve curve{.search = {.depth = steps, .settle = flags.settle},
                       .calls = flags.calls,
                       .choice = choice(flags, "description")};
  for (int64_t budget : budgets) {
    if (flags.calls.empty()) curve.calls.push_back(budget * steps);
  }
  std::ranges::sort(curve.calls);
  for (double temperature : temperatures(curve.search.temperature)) {
    if (!flags.wants("best-first")) break;
    curve.search.temperature = temperature;
    add(evaluate_best_first(model, episodes, curve));
  }
  return scores;
}

void add_search_flags(CLI::App& command, SearchFlags& flags) {
  command
      .add_option("--search", flags.search,
                  "greedy, sample (NEO-S), best-first; both: greedy and sample; all: the three")
      ->check(CLI::IsMember({"greedy", "sample", "best-first", "both", "all"}))
      ->capture_default_str();
  command
      .add_option(
          "--calls", flags.calls,
          "Executor calls per episode at most, or several with commas for a curve (default: what NEO-S "
          "spends on 1, 2, 4, ... draws)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--draws", flags.draws, "NEO-S: programs drawn per episode (default: the preset's)")
      ->check(CLI::Range(1, 1 << 16));
  command.add_flag("--without-replacement", flags.without_replacement, "NEO-S: never draw a program twice");
  command
      .add_option("--temperature", flags.temperatures,
                  "Of the programmer's distribution, or several with commas for a sweep (default: the "
                  "preset's for NEO-S, 0.03 for best-first)")
      ->delimiter(',')
      ->check(CLI::Range(1e-6, 1e6));
  command.add_flag("--settle", flags.settle,
                   "Best-first: stop when what was found is likelier than all that is untried");
  command
      .add_option(
          "--choose,--vote", flags.choice,
          "The theory of a pair is: sequence (the most frequent or likeliest program), behaviour (the "
          "most frequent or likeliest class of programs that do the same with probe inputs) or "
          "description (the program of least description length) (default: sequence for NEO-S, "
          "description for best-first)")
      ->check(CLI::IsMember({"sequence", "behaviour", "description"}));
  command
      .add_option(
          "--probes", flags.probes,
          "How many unlabelled inputs tell programs apart: the query's own, then those of other episodes")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_option("--seed", flags.seed, "Seed of the sampling")->capture_default_str();
}

}  // namespace neo
