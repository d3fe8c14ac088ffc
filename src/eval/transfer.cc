#include "eval/transfer.h"

#include "search/latent_beam.h"

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 2048;

double total_l1(const torch::Tensor& prediction, const torch::Tensor& target) {
  return ((prediction.to(torch::kDouble) - target.to(torch::kDouble)).abs().mean(1) / 255.0)
      .sum()
      .item<double>();
}
// The sum over rows: how many are exact, or L1 where nothing ever is.
double total_score(bool categorical, const torch::Tensor& prediction, const torch::Tensor& target) {
  return categorical ? exact_rows(prediction, target).sum().item<double>() : total_l1(prediction, target);
}

// Per step of a rollout.
int64_t executor_calls(const Refinement& refinement) {
  return refinement.steps > 0 ? refinement.steps + 2 : 1;  // before, after every step, and the chosen one
}

}  // namespace

torch::Tensor exact_rows(const torch::Tensor& prediction, const torch::Tensor& target) {
  return (prediction == target).all(1);
}

nlohmann::json to_json(const SplitScore& s) {
  nlohmann::json record{{"name", s.name},
                        {"episodes", s.episodes},
                        {"method", s.method},
                        {"search", s.search},
                        {"temperature", s.temperature},
                        {"budget", s.budget},
                        {"calls", s.calls},
                        {"hard_grounding", s.hard_grounding},
                        {"self", s.self},
                        {"transfer", s.transfer},
                        {"pass", s.pass},
                        {"mean_length", s.mean_length}};
  if (!s.choice.empty()) {
    record["choice"] = s.choice;
    record["calls_used"] = s.calls_used;
    record["probe_calls"] = s.probe_calls;
  }
  if (s.floor > 0) {
    record["identity"] = s.identity;
    record["floor"] = s.floor;
  }
  return record;
}

namespace {
// What a score in L1 has to be compared with.
void add_baselines(NeoImpl& model, const EpisodeSet& episodes, SplitScore& score) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  if (observation.readout().is_categorical()) return;
  for (int64_t begin = 0; begin < episodes.size(); begin += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, episodes.size() - begin);
    const auto y = episodes.query_y.narrow(0, begin, count);
    score.identity += total_l1(episodes.query_x.narrow(0, begin, count), y);
    score.floor += total_l1(observation.readout().harden(observation.decode(observation.encode(y))), y);
  }
  score.identity /= static_cast<double>(episodes.size());
  score.floor /= static_cast<double>(episodes.size());
}
}  // namespace

SplitScore evaluate_greedy(NeoImpl& model, const EpisodeSet& episodes, const TransferOptions& options) {
  SplitScore score{.name = episodes.name,
                   .episodes = episodes.size(),
                   .calls = options.steps * executor_calls(options.refinement),
                   .hard_grounding = options.hard_grounding};
  const bool exact = model.observation().readout().is_categorical();
  double self = 0, transfer = 0, length = 0;
  for (int64_t begin = 0; begin < episodes.size(); begin += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, episodes.size() - begin);
    const auto part = [&](const torch::Tensor& t) { return t.narrow(0, begin, count); };
    RolloutOptions rollout{options.steps, options.hard_grounding};
    rollout.refinement = options.refinement;
    const auto trajectory = induce(model, part(episodes.support_x), part(episodes.support_y), rollout);
    const Programs programs{trajectory.codes,
                            explanation_lengths(trajectory, options.fallback, options.lambda),
                            trajectory.vectors};
    const auto last = programs.lengths - 1;
    const auto explained = torch::stack(trajectory.hard).index({last, torch::arange(count)});
    const auto predicted = execute(model, part(episodes.query_x), programs, options.hard_grounding);
    self += total_score(exact, explained, part(episodes.support_y));
    transfer += total_score(exact, predicted, part(episodes.query_y));
    length += programs.lengths.sum().item<double>();
  }
  const auto n = static_cast<double>(episodes.size());
  score.self = self / n;
  score.transfer = score.pass = transfer / n;
  score.mean_length = length / n;
  add_baselines(model, episodes, score);
  return score;
}

SplitScore evaluate_latent_beam(NeoImpl& model, const EpisodeSet& episodes, int64_t steps, int64_t width) {
  torch::NoGradGuard no_grad;
  constexpr int64_t kEpisodesAtOnce = 128;  // times width, codes and D floats
  SplitScore score{.name = episodes.name, .episodes = episodes.size(), .method = "neo-s", .search = "beam"};
  score.budget = width;
  score.hard_grounding = false;
  score.calls = latent_beam_calls(model, steps, width);
  for (int64_t begin = 0; begin < episodes.size(); begin += kEpisodesAtOnce) {
    const int64_t count = std::min(kEpisodesAtOnce, episodes.size() - begin);
    const auto part = [&](const torch::Tensor& t) { return t.narrow(0, begin, count); };
    const Programs found =
        latent_beam(model, part(episodes.support_x), part(episodes.support_y), steps, width).programs;
    const auto run = [&](const torch::Tensor& x) { return execute(model, part(x), found, false); };
    score.self += total_l1(run(episodes.support_x), part(episodes.support_y));
    score.transfer += total_l1(run(episodes.query_x), part(episodes.query_y));
    score.mean_length += found.lengths.sum().item<double>();
  }
  const auto n = static_cast<double>(episodes.size());
  score.self /= n;
  score.transfer /= n;
  score.pass = score.transfer;
  score.mean_length /= n;
  add_baselines(model, episodes, score);
  return score;
}

}  // namespace neo
