#include "search/sampling.h"

#include <map>

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 4096;  // keeps states within the cache hierarchy and memory small
}

Candidates draw_candidates(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const SamplingOptions& options,
                           RngStream& random) {
  const int64_t episodes = x.size(0);
  Candidates all{torch::empty({episodes, options.draws, options.steps}, torch::kLong),
                 torch::empty({episodes, options.draws}, torch::kLong)};
  const int64_t at_once = std::max<int64_t>(1, kRowsAtOnce / options.draws);
  for (int64_t begin = 0; begin < episodes; begin += at_once) {
    const int64_t count = std::min(at_once, episodes - begin);
    const int64_t rows = count * options.draws;
    RolloutOptions rollout{options.steps, options.hard_grounding, options.temperature, torch::empty({rows, options.steps}, torch::kFloat)};
    auto* u = rollout.uniforms.data_ptr<float>();
    for (int64_t i = 0; i < rows * options.steps; ++i) u[i] = static_cast<float>(random.uniform());
    const Trajectory trajectory = induce(model, x.narrow(0, begin, count).repeat_interleave(options.draws, 0),
                                         y.narrow(0, begin, count).repeat_interleave(options.draws, 0), rollout);
    const auto solved = trajectory.exact.any(1);
    const auto lengths = torch::where(solved, trajectory.exact.to(torch::kInt).argmax(1) + 1, torch::zeros({rows}, torch::kLong));
    all.codes.narrow(0, begin, count).copy_(trajectory.codes.view({count, options.draws, options.steps}));
    all.lengths.narrow(0, begin, count).copy_(lengths.view({count, options.draws}));
  }
  return all;
}

torch::Tensor majority_vote(const Candidates& candidates, int64_t budget) {
  const int64_t episodes = candidates.codes.size(0);
  auto winners = torch::full({episodes}, -1, torch::kLong);
  const auto codes = candidates.codes.accessor<int64_t, 3>();
  const auto lengths = candidates.lengths.accessor<int64_t, 2>();
  auto winner = winners.accessor<int64_t, 1>();
  struct Votes {
    int64_t first, count;
  };
  for (int64_t e = 0; e < episodes; ++e) {
    std::map<std::vector<int64_t>, Votes> votes;
    for (int64_t b = 0; b < budget; ++b) {
      if (lengths[e][b] == 0) continue;
      std::vector<int64_t> program;
      for (int64_t k = 0; k < lengths[e][b]; ++k) program.push_back(codes[e][b][k]);
      ++votes.try_emplace(program, Votes{b, 0}).first->second.count;
    }
    Votes best{-1, 0};
    for (const auto& [program, vote] : votes) {
      if (vote.count > best.count || (vote.count == best.count && vote.first < best.first)) best = vote;
    }
    winner[e] = best.first;
  }
  return winners;
}

Programs pick(const Candidates& candidates, const torch::Tensor& index) {
  const auto rows = torch::arange(index.size(0));
  const auto safe = index.clamp_min(0);
  const auto lengths = candidates.lengths.index({rows, safe});
  return {candidates.codes.index({rows, safe}), torch::where(index >= 0, lengths, torch::zeros_like(lengths))};
}

}  // namespace neo
