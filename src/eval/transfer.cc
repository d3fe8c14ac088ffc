#include "eval/transfer.h"

#include <limits>
#include <map>

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 2048;

double exact_share(const torch::Tensor& prediction, const torch::Tensor& target) {
  return (prediction == target).all(1).to(torch::kDouble).sum().item<double>();
}
double total_l1(const torch::Tensor& prediction, const torch::Tensor& target) {
  return ((prediction.to(torch::kDouble) - target.to(torch::kDouble)).abs().mean(1) / 255.0)
      .sum()
      .item<double>();
}

// Which solving candidates are right about the query, [E, draws]. Each distinct program of an episode is
// replayed once.
torch::Tensor transfers(NeoImpl& model, const EpisodeSet& episodes, const Candidates& candidates) {
  const int64_t n = candidates.codes.size(0);
  const int64_t draws = candidates.codes.size(1);
  auto right = torch::zeros({n, draws}, torch::kBool);
  const auto codes = candidates.codes.accessor<int64_t, 3>();
  const auto lengths = candidates.lengths.accessor<int64_t, 2>();
  std::vector<int64_t> episode, draw;  // the first draw of each distinct program
  std::vector<int64_t> program_of(static_cast<size_t>(n * draws), -1);
  for (int64_t e = 0; e < n; ++e) {
    std::map<std::vector<int64_t>, int64_t> known;
    for (int64_t b = 0; b < draws; ++b) {
      if (lengths[e][b] == 0) continue;
      std::vector<int64_t> program;
      for (int64_t k = 0; k < lengths[e][b]; ++k) program.push_back(codes[e][b][k]);
      const auto [entry, is_new] = known.try_emplace(program, static_cast<int64_t>(episode.size()));
      if (is_new) {
        episode.push_back(e);
        draw.push_back(b);
      }
      program_of[static_cast<size_t>(e * draws + b)] = entry->second;
    }
  }
  std::vector<bool> is_right;
  for (size_t begin = 0; begin < episode.size(); begin += kRowsAtOnce) {
    const auto count = static_cast<int64_t>(std::min<size_t>(kRowsAtOnce, episode.size() - begin));
    const auto slice = [&](const std::vector<int64_t>& v) {
      return torch::tensor(at::ArrayRef<int64_t>(v.data() + begin, static_cast<size_t>(count)), torch::kLong);
    };
    const auto rows = slice(episode);
    const auto columns = slice(draw);
    const Programs programs{candidates.codes.index({rows, columns}),
                            candidates.lengths.index({rows, columns})};
    const auto predicted =
        execute(model, episodes.query_x.index_select(0, rows), programs, /*hard_grounding=*/true);
    const auto hits = (predicted == episodes.query_y.index_select(0, rows)).all(1);
    for (int64_t i = 0; i < count; ++i) is_right.push_back(hits[i].item<bool>());
  }
  for (int64_t i = 0; i < n * draws; ++i) {
    const int64_t program = program_of[static_cast<size_t>(i)];
    if (program >= 0) right.view(-1)[i] = static_cast<bool>(is_right[static_cast<size_t>(program)]);
  }
  return right;
}
}  // namespace

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
                   .calls = options.steps,
                   .hard_grounding = options.hard_grounding};
  const bool exact = model.observation().readout().is_categorical();
  double self = 0, transfer = 0, length = 0;
  for (int64_t begin = 0; begin < episodes.size(); begin += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, episodes.size() - begin);
    const auto part = [&](const torch::Tensor& t) { return t.narrow(0, begin, count); };
    const auto trajectory = induce(model, part(episodes.support_x), part(episodes.support_y),
                                   {options.steps, options.hard_grounding});
    const Programs programs{trajectory.codes,
                            explanation_lengths(trajectory, options.fallback, options.lambda)};
    const auto last = programs.lengths - 1;
    const auto explained = torch::stack(trajectory.hard).index({last, torch::arange(count)});
    const auto predicted = execute(model, part(episodes.query_x), programs, options.hard_grounding);
    self += exact ? exact_share(explained, part(episodes.support_y))
                  : total_l1(explained, part(episodes.support_y));
    transfer +=
        exact ? exact_share(predicted, part(episodes.query_y)) : total_l1(predicted, part(episodes.query_y));
    length += programs.lengths.sum().item<double>();
  }
  const auto n = static_cast<double>(episodes.size());
  score.self = self / n;
  score.transfer = score.pass = transfer / n;
  score.mean_length = length / n;
  add_baselines(model, episodes, score);
  return score;
}

namespace {
constexpr double kMargin =
    0.97;  // a longer program must bring the loss below this share of the shorter one's

// One batch of the latent beam: predictions [B, N] for support and query, and the winning lengths.
struct BeamResult {
  torch::Tensor explained, predicted, lengths;
};
BeamResult latent_beam(NeoImpl& model, const EpisodeSet& e, int64_t begin, int64_t count, int64_t steps,
                       int64_t width) {
  auto& observation = model.observation();
  const auto encode = [&](const torch::Tensor& t) { return observation.encode(t.narrow(0, begin, count)); };
  const auto target = encode(e.support_y);
  const int64_t tokens = target.size(1);
  const int64_t size = target.size(2);
  auto spread = observation.spread();
  const auto weight = (spread.defined() ? spread.square() : torch::ones({size}));
  const auto actions = model.quantizer().vectors(torch::tensor(model.quantizer().active(), torch::kLong));
  const auto rows = torch::arange(count);
  auto state = encode(e.support_x).unsqueeze(1);  // [B, W, T, D]
  auto query = encode(e.query_x).unsqueeze(1);
  auto best = torch::full({count}, std::numeric_limits<float>::infinity());
  auto best_state = state.select(1, 0);
  auto best_query = query.select(1, 0);
  auto lengths = torch::zeros({count}, torch::kLong);
  const auto advance = [&](const torch::Tensor& from) {
    return model.executor().every_action(from.flatten(0, 1), actions).view({count, -1, tokens, size});
  };
  for (int64_t k = 0; k < steps; ++k) {
    state = advance(state);
    query = advance(query);
    const auto loss = ((state - target.unsqueeze(1)).square() * weight).sum({2, 3});  // [B, W Z]
    const auto [least, at] = loss.min(1);
    const auto better = least < kMargin * best;
    const auto choose = [&](const torch::Tensor& all, const torch::Tensor& old) {
      return torch::where(better.view({-1, 1, 1}), all.index({rows, at}), old);
    };
    best_state = choose(state, best_state);
    best_query = choose(query, best_query);
    best = torch::where(better, least, best);
    lengths = torch::where(better, torch::full_like(lengths, k + 1), lengths);
    const auto kept = std::get<1>(loss.topk(std::min(width, loss.size(1)), 1, /*largest=*/false));
    state = state.index({rows.unsqueeze(1), kept});
    query = query.index({rows.unsqueeze(1), kept});
  }
  const auto harden = [&](const torch::Tensor& s) {
    return observation.readout().harden(observation.decode(s));
  };
  return {harden(best_state), harden(best_query), lengths};
}
}  // namespace

SplitScore evaluate_latent_beam(NeoImpl& model, const EpisodeSet& episodes, int64_t steps, int64_t width) {
  torch::NoGradGuard no_grad;
  constexpr int64_t kEpisodesAtOnce = 128;  // times width, codes and D floats
  SplitScore score{.name = episodes.name, .episodes = episodes.size(), .method = "neo-s", .search = "beam"};
  score.budget = width;
  score.hard_grounding = false;
  const auto codes = static_cast<int64_t>(model.quantizer().active().size());
  for (int64_t k = 0, kept = 1; k < steps; ++k, kept = std::min(width, kept * codes))
    score.calls += kept * codes;
  for (int64_t begin = 0; begin < episodes.size(); begin += kEpisodesAtOnce) {
    const int64_t count = std::min(kEpisodesAtOnce, episodes.size() - begin);
    const BeamResult found = latent_beam(model, episodes, begin, count, steps, width);
    score.self += total_l1(found.explained, episodes.support_y.narrow(0, begin, count));
    score.transfer += total_l1(found.predicted, episodes.query_y.narrow(0, begin, count));
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

std::vector<SplitScore> evaluate_sampling(NeoImpl& model, const EpisodeSet& episodes,
                                          const SamplingOptions& options, uint64_t seed) {
  RngStream random(seed, "neo-s " + episodes.name);
  const int64_t n = episodes.size();
  const Candidates candidates =
      draw_candidates(model, episodes.support_x, episodes.support_y, options, random);
  const torch::Tensor right = transfers(model, episodes, candidates);
  std::vector<SplitScore> scores;
  for (int64_t budget : options.budgets) {
    if (budget > options.draws) continue;
    const auto winners = majority_vote(candidates, budget);
    const auto chosen =
        right.gather(1, winners.clamp_min(0).unsqueeze(1)).squeeze(1).logical_and(winners >= 0);
    const auto solved = winners >= 0;
    const auto mean = [n](const torch::Tensor& t) {
      return t.to(torch::kDouble).sum().item<double>() / static_cast<double>(n);
    };
    const auto lengths = pick(candidates, winners).lengths;
    scores.push_back(
        {.name = episodes.name,
         .episodes = n,
         .method = "neo-s",
         .search = "sample",
         .temperature = options.temperature,
         .budget = budget,
         .calls = budget * options.steps,
         .hard_grounding = true,
         .self = mean(solved),
         .transfer = mean(chosen),
         .pass = mean(right.narrow(1, 0, budget).any(1)),
         .mean_length = lengths.sum().item<double>() / std::max(1.0, solved.sum().item<double>())});
  }
  return scores;
}

}  // namespace neo
