#include "eval/transfer.h"

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 2048;

double exact_share(const torch::Tensor& prediction, const torch::Tensor& target) {
  return (prediction == target).all(1).to(torch::kDouble).sum().item<double>();
}
double total_l1(const torch::Tensor& prediction, const torch::Tensor& target) {
  return ((prediction.to(torch::kDouble) - target.to(torch::kDouble)).abs().mean(1) / 255.0).sum().item<double>();
}
}  // namespace

nlohmann::json to_json(const SplitScore& s) {
  return {{"name", s.name}, {"episodes", s.episodes}, {"method", s.method}, {"search", s.search}, {"budget", s.budget},
          {"calls", s.calls}, {"hard_grounding", s.hard_grounding}, {"self", s.self}, {"transfer", s.transfer},
          {"pass", s.pass}, {"mean_length", s.mean_length}};
}

SplitScore evaluate_greedy(NeoImpl& model, const EpisodeSet& episodes, const TransferOptions& options) {
  SplitScore score{.name = episodes.name, .episodes = episodes.size(), .calls = options.steps, .hard_grounding = options.hard_grounding};
  const bool exact = model.observation().readout().is_categorical();
  double self = 0, transfer = 0, length = 0;
  for (int64_t begin = 0; begin < episodes.size(); begin += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, episodes.size() - begin);
    const auto part = [&](const torch::Tensor& t) { return t.narrow(0, begin, count); };
    const auto trajectory = induce(model, part(episodes.support_x), part(episodes.support_y), {options.steps, options.hard_grounding});
    const Programs programs{trajectory.codes, explanation_lengths(trajectory, options.fallback, options.lambda)};
    const auto last = programs.lengths - 1;
    const auto explained = torch::stack(trajectory.hard).index({last, torch::arange(count)});
    const auto predicted = execute(model, part(episodes.query_x), programs, options.hard_grounding);
    self += exact ? exact_share(explained, part(episodes.support_y)) : total_l1(explained, part(episodes.support_y));
    transfer += exact ? exact_share(predicted, part(episodes.query_y)) : total_l1(predicted, part(episodes.query_y));
    length += programs.lengths.sum().item<double>();
  }
  const auto n = static_cast<double>(episodes.size());
  score.self = self / n;
  score.transfer = score.pass = transfer / n;
  score.mean_length = length / n;
  return score;
}

std::vector<SplitScore> evaluate_sampling(NeoImpl& model, const EpisodeSet& episodes, const SamplingOptions& options, uint64_t seed) {
  RngStream random(seed, "neo-s " + episodes.name);
  const int64_t n = episodes.size();
  const Candidates candidates = draw_candidates(model, episodes.support_x, episodes.support_y, options, random);
  // Every solving candidate is replayed on the query once; budgets then only count.
  auto right = torch::zeros({n, options.draws}, torch::kBool);
  const int64_t at_once = std::max<int64_t>(1, 2 * kRowsAtOnce / options.draws);
  for (int64_t begin = 0; begin < n; begin += at_once) {
    const int64_t count = std::min(at_once, n - begin);
    const auto lengths = candidates.lengths.narrow(0, begin, count).flatten();
    const auto solvers = lengths.nonzero().squeeze(1);
    if (solvers.size(0) == 0) continue;
    const auto repeated = [&](const torch::Tensor& t) { return t.narrow(0, begin, count).index_select(0, solvers.floor_divide(options.draws)); };
    const Programs programs{candidates.codes.narrow(0, begin, count).flatten(0, 1).index_select(0, solvers), lengths.index_select(0, solvers)};
    const auto predicted = execute(model, repeated(episodes.query_x), programs, options.hard_grounding);
    right.narrow(0, begin, count).view(-1).index_put_({solvers}, (predicted == repeated(episodes.query_y)).all(1));
  }
  std::vector<SplitScore> scores;
  for (int64_t budget : options.budgets) {
    if (budget > options.draws) continue;
    const auto winners = majority_vote(candidates, budget);
    const auto chosen = right.gather(1, winners.clamp_min(0).unsqueeze(1)).squeeze(1).logical_and(winners >= 0);
    const auto solved = winners >= 0;
    const auto mean = [n](const torch::Tensor& t) { return t.to(torch::kDouble).sum().item<double>() / static_cast<double>(n); };
    const auto lengths = pick(candidates, winners).lengths;
    scores.push_back({.name = episodes.name, .episodes = n, .method = "neo-s", .search = "sample", .budget = budget,
                      .calls = budget * options.steps, .hard_grounding = options.hard_grounding, .self = mean(solved),
                      .transfer = mean(chosen), .pass = mean(right.narrow(1, 0, budget).any(1)),
                      .mean_length = lengths.sum().item<double>() / std::max(1.0, solved.sum().item<double>())});
  }
  return scores;
}

}  // namespace neo
