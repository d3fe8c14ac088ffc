#include "search/sampling.h"

#include <map>

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 4096;  // keeps states within the cache hierarchy and memory small

// What the draws of a chunk of pairs have reached: distinct observations ("nodes"), each of one pair. With
// hard grounding a node's future depends on nothing else, so draws that meet there share the work from then
// on.
struct Nodes {
  torch::Tensor observation;  // uint8 [U, N]
  std::vector<int64_t> pair;  // [U]
};

// Index of each key among the distinct keys, in order of first appearance.
template <typename Key>
std::vector<int64_t> enumerate(const std::vector<Key>& keys, std::vector<int64_t>& first) {
  std::map<Key, int64_t> index;
  std::vector<int64_t> of;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto [entry, is_new] = index.try_emplace(keys[i], static_cast<int64_t>(first.size()));
    if (is_new) first.push_back(static_cast<int64_t>(i));
    of.push_back(entry->second);
  }
  return of;
}

int64_t pick_code(const float* cumulative, int64_t codes, float uniform) {
  int64_t code = 0;
  while (code + 1 < codes && cumulative[code] < uniform) ++code;
  return code;
}

// Draws for a few pairs at once and fills in their rows of the candidates.
void draw_chunk(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x, const torch::Tensor& y,
                const SamplingOptions& options, RngStream& random, const Candidates& out) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  const int64_t pairs = x.size(0);
  const int64_t rows = pairs * options.draws;
  const int64_t codes = model.quantizer().config().codes;
  const auto flat = out.codes.view({rows, options.steps});
  auto chosen = flat.accessor<int64_t, 2>();
  auto* length = out.lengths.data_ptr<int64_t>();
  std::vector<float> uniforms(static_cast<size_t>(rows * options.steps));
  for (float& u : uniforms) u = static_cast<float>(random.uniform());

  auto& programmer = model.programmer();
  const auto target = programmer.look_at(observation, y);
  Nodes nodes{x.contiguous(), {}};
  for (int64_t pair = 0; pair < pairs; ++pair) nodes.pair.push_back(pair);
  std::vector<int64_t> drawing, at;  // rows not yet solved, and the node each one is at
  for (int64_t row = 0; row < rows; ++row) {
    drawing.push_back(row);
    at.push_back(row / options.draws);
  }
  for (int64_t k = 0; k < options.steps && !drawing.empty(); ++k) {
    const auto pair = torch::tensor(nodes.pair, torch::kLong);
    const auto goal = y.index_select(0, pair);
    const auto distance = model.quantizer().distances(
        programmer.propose(programmer.look_at(observation, nodes.observation), target.index_select(0, pair)));
    const auto cumulative = torch::softmax(-distance / options.temperature, -1).cumsum(-1).contiguous();
    std::vector<std::pair<int64_t, int64_t>> moves;  // (node, code) of each drawing row
    for (size_t i = 0; i < drawing.size(); ++i) {
      const int64_t code = pick_code(cumulative.data_ptr<float>() + at[i] * codes, codes,
                                     uniforms[static_cast<size_t>(drawing[i] * options.steps + k)]);
      chosen[drawing[i]][k] = code;
      moves.emplace_back(at[i], code);
    }
    std::vector<int64_t> first;
    const auto move_of = enumerate(moves, first);
    std::vector<int64_t> from, by, owner;
    for (int64_t i : first) {
      from.push_back(moves[static_cast<size_t>(i)].first);
      by.push_back(moves[static_cast<size_t>(i)].second);
      owner.push_back(nodes.pair[static_cast<size_t>(from.back())]);
    }
    const Reading reading = executor.read(
        {nodes.observation, goal, torch::tensor(from, torch::kLong), torch::tensor(by, torch::kLong), {}});
    const auto hard = reading.hard.contiguous();
    std::vector<std::pair<int64_t, std::string>> reached;
    for (size_t m = 0; m < from.size(); ++m) {
      reached.emplace_back(owner[m], std::string(reinterpret_cast<const char*>(hard.data_ptr<uint8_t>()) +
                                                     static_cast<int64_t>(m) * hard.size(1),
                                                 static_cast<size_t>(hard.size(1))));
    }
    std::vector<int64_t> distinct;
    const auto node_of = enumerate(reached, distinct);
    std::vector<int64_t> still, where;
    for (size_t i = 0; i < drawing.size(); ++i) {
      const auto move = static_cast<size_t>(move_of[i]);
      if (reading.exact.data_ptr<bool>()[move]) {
        length[drawing[i]] = k + 1;
      } else {
        still.push_back(drawing[i]);
        where.push_back(node_of[move]);
      }
    }
    nodes.observation = hard.index_select(0, torch::tensor(distinct, torch::kLong));
    nodes.pair.clear();
    for (int64_t d : distinct) nodes.pair.push_back(owner[static_cast<size_t>(d)]);
    drawing = std::move(still);
    at = std::move(where);
  }
}
}  // namespace

Candidates draw_candidates(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                           const SamplingOptions& options, RngStream& random) {
  const int64_t episodes = x.size(0);
  Candidates all{torch::zeros({episodes, options.draws, options.steps}, torch::kLong),
                 torch::zeros({episodes, options.draws}, torch::kLong)};
  const auto executor = make_hard_executor(model);
  const int64_t at_once = std::max<int64_t>(1, kRowsAtOnce / options.draws);
  for (int64_t begin = 0; begin < episodes; begin += at_once) {
    const int64_t count = std::min(at_once, episodes - begin);
    draw_chunk(model, *executor, x.narrow(0, begin, count), y.narrow(0, begin, count), options, random,
               {all.codes.narrow(0, begin, count), all.lengths.narrow(0, begin, count)});
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
  return {candidates.codes.index({rows, safe}),
          torch::where(index >= 0, lengths, torch::zeros_like(lengths))};
}

}  // namespace neo
