#include "eval/search_curves.h"

#include <cmath>

#include "search/distinct_sampling.h"

namespace neo {
namespace {
constexpr int64_t kEpisodesAtOnce = 512;

double total(const torch::Tensor& t) { return t.to(torch::kDouble).sum().item<double>(); }

// Some episodes of a set.
struct Batch {
  const Episodes& all;
  int64_t begin = 0, count = 0;
  torch::Tensor operator()(const torch::Tensor& t) const { return t.narrow(0, begin, count); }
  // [E, P, N] the query's input first, or the support pair's.
  torch::Tensor probes(const ChoiceOptions& choice) const {
    std::vector<torch::Tensor> inputs{(*this)(choice.query ? all.query_x : all.support_x)};
    for (int64_t p = 1; choice.by != Choice::sequence && p < choice.probes; ++p)
      inputs.push_back(all.support_x.index_select(0, (torch::arange(begin, begin + count) + p) % all.size()));
    return torch::stack(inputs, /*dim=*/1);
  }
};
std::vector<Batch> batches_of(const Episodes& episodes) {
  std::vector<Batch> list;
  for (int64_t begin = 0; begin < episodes.size(); begin += kEpisodesAtOnce)
    list.push_back({episodes, begin, std::min(kEpisodesAtOnce, episodes.size() - begin)});
  return list;
}

// Candidates, of which some are to be chosen.
struct Ballot {
  const Candidates& candidates;
  Choice by;
  double price;           // nats per code
  Replay run;             // on the probes
  torch::Tensor classes;  // [E, M]
  torch::Tensor right;    // [E, M] bool: explains the support pair and is right about the query
  torch::Tensor winners(int64_t budget) const {
    if (by == Choice::description) return shortest_description(candidates, run, price, budget);
    return vote(candidates, classes, budget);
  }
};
Ballot prepare(NeoImpl& model, HardExecutor& executor, const Batch& part, const Candidates& candidates,
               const ChoiceOptions& choice) {
  const double price = std::log(static_cast<double>(model.quantizer().active().size()));
  Ballot ballot{candidates, choice.by, price, replay(model, executor, candidates, part.probes(choice)),
                {},         {}};
  const auto& program = ballot.run.program;
  const Replay apart =
      choice.query ? Replay{} : replay(model, executor, candidates, part(part.all.query_x).unsqueeze(1));
  const torch::Tensor ends =
      choice.query ? ballot.run.ends : apart.ends;  // [D, P, N], the query's first: to be scored
  ballot.classes =
      choice.by == Choice::behaviour ? behaviour_classes(ballot.run) : spelling_classes(candidates);
  ballot.right = program >= 0;
  if (ends.size(0) > 0) {
    const auto predicted = ends.select(1, 0)
                               .index_select(0, program.clamp_min(0).flatten())
                               .view({part.count, program.size(1), -1});
    ballot.right &= (predicted == part(part.all.query_y).unsqueeze(1)).all(-1);
  }
  return ballot;
}

torch::Tensor is_right(const Ballot& ballot, const torch::Tensor& winners) {
  return ballot.right.gather(1, winners.clamp_min(0).unsqueeze(1)).squeeze(1).logical_and(winners >= 0);
}

void divide(std::vector<SplitScore>& scores) {
  for (SplitScore& s : scores) {
    for (double* sum : {&s.self, &*s.transfer, &s.pass, &s.calls_used, &s.probe_calls})
      *sum /= static_cast<double>(s.episodes);
    s.explained = s.self;
  }
}

}  // namespace

std::vector<SplitScore> evaluate_sampling(NeoImpl& model, const Episodes& episodes,
                                          const SamplingOptions& options, uint64_t seed,
                                          const ChoiceOptions& choice) {
  RngStream random(seed, "neo-s " + episodes.name);
  const auto draw = options.without_replacement ? draw_distinct : draw_candidates;
  const Candidates all = draw(model, episodes.support_x, episodes.support_y, options, random);
  const auto executor = make_hard_executor(model);
  std::vector<SplitScore> scores;
  for (int64_t budget : options.budgets) {
    if (budget > options.draws) continue;
    scores.push_back({.name = episodes.name,
                      .episodes = episodes.size(),
                      .method = "neo-s",
                      .search = options.without_replacement ? "sample-without-replacement" : "sample",
                      .temperature = options.temperature,
                      .budget = budget,
                      .steps = options.steps,
                      .calls = budget * options.steps,
                      .transfer = 0.0,
                      .choice = name_of(choice.by)});
  }
  std::vector<double> solved(scores.size());
  for (const Batch& part : batches_of(episodes)) {
    const Candidates some{part(all.codes), part(all.lengths),
                          all.log_probability.defined() ? part(all.log_probability) : torch::Tensor()};
    const Ballot ballot = prepare(model, *executor, part, some, choice);
    auto ran = torch::where(some.lengths > 0, some.lengths, torch::full_like(some.lengths, options.steps));
    if (some.log_probability.defined()) ran *= some.log_probability.isfinite();  // fewer programs than draws
    for (size_t i = 0; i < scores.size(); ++i) {
      SplitScore& score = scores[i];
      const auto winners = ballot.winners(score.budget);
      solved[i] += total(winners >= 0);
      score.self += total(winners >= 0);
      *score.transfer += total(is_right(ballot, winners));
      score.pass += total(ballot.right.narrow(1, 0, score.budget).any(1));
      score.mean_length += total(pick(some, winners).lengths);
      score.calls_used += total(ran.narrow(1, 0, score.budget));
      if (choice.by != Choice::sequence) score.probe_calls += replay_calls(ballot.run, some, score.budget);
    }
  }
  divide(scores);
  for (size_t i = 0; i < scores.size(); ++i) scores[i].mean_length /= std::max(1.0, solved[i]);
  return scores;
}

std::vector<SplitScore> evaluate_best_first(NeoImpl& model, const Episodes& episodes,
                                            const BestFirstCurve& options) {
  const auto executor = make_hard_executor(model);
  std::vector<SplitScore> scores;
  for (int64_t calls : options.calls) {
    scores.push_back({.name = episodes.name,
                      .episodes = episodes.size(),
                      .method = "neo-s",
                      .search = "best-first",
                      .temperature = options.search.temperature,
                      .budget = options.most,
                      .steps = options.search.depth,
                      .calls = calls,
                      .transfer = 0.0,
                      .choice = name_of(options.choice.by),
                      .query_probe = options.choice.query});
  }
  for (const Batch& part : batches_of(episodes)) {
    BestFirst search(model, *executor, part(episodes.support_x), part(episodes.support_y), options.search);
    for (SplitScore& score : scores) {
      search.run(score.calls);
      const Candidates found = search.programs(options.most);
      const Ballot ballot = prepare(model, *executor, part, found, options.choice);
      const auto winners = ballot.winners(options.most);
      const auto solved = winners >= 0;
      score.self += total(solved);
      *score.transfer += total(is_right(ballot, winners));
      score.pass += total(ballot.right.any(1));
      score.mean_length += total(pick(found, winners).lengths);  // of those solved: see below
      score.calls_used += total(search.calls());
      if (options.choice.by != Choice::sequence)
        score.probe_calls += replay_calls(ballot.run, found, options.most);
    }
    if (options.progress) options.progress->advance(part.count);
  }
  for (SplitScore& score : scores) score.mean_length /= std::max(1.0, score.self);
  divide(scores);
  return scores;
}

std::vector<SplitScore> evaluate_vector_sampling(NeoImpl& model, const Episodes& episodes,
                                                 const std::vector<int64_t>& budgets, bool hard_grounding,
                                                 uint64_t seed, Progress* progress) {
  torch::NoGradGuard no_grad;
  RngStream random(seed, "vectors " + episodes.name);
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  const auto run = [&](const torch::Tensor& state, const torch::Tensor& vectors, const torch::Tensor& y) {
    return readout.read(observation.decode(model.executor().forward(state, vectors)), y).exact;
  };
  std::vector<SplitScore> scores;
  for (int64_t budget : budgets) {
    scores.push_back({.name = episodes.name,
                      .episodes = episodes.size(),
                      .method = "neo-s",
                      .search = "sample",
                      .budget = budget,
                      .steps = 1,
                      .calls = budget,
                      .hard_grounding = hard_grounding,
                      .transfer = 0.0,
                      .choice = "sequence"});
  }
  for (const Batch& part : batches_of(episodes)) {
    const auto y = part(episodes.support_y), state = observation.encode(part(episodes.support_x));
    const auto query = observation.encode(part(episodes.query_x));
    const auto action = model.programmer().forward(state, observation.encode(y));
    auto solved = torch::zeros({part.count}, torch::kBool);
    auto chosen = torch::zeros({part.count, model.config().quantizer.width});
    int64_t drawn = 0;
    for (SplitScore& score : scores) {
      for (; drawn < score.budget; ++drawn) {
        const auto noise = model.bottleneck().draw_noise(random, part.count);
        const auto vectors = model.bottleneck().forward(action, noise).vectors;
        const auto found = run(state, vectors, y).logical_and(solved.logical_not());
        chosen = torch::where(found.unsqueeze(1), vectors, chosen);
        solved = solved.logical_or(found);
      }
      const auto right = run(query, chosen, part(episodes.query_y)).logical_and(solved);
      score.self += total(solved);
      *score.transfer += total(right);
      score.pass += total(right);
      score.calls_used += static_cast<double>(score.budget * part.count);
    }
    if (progress) progress->advance(part.count);
  }
  divide(scores);
  for (SplitScore& score : scores) score.mean_length = 1;
  return scores;
}

}  // namespace neo
