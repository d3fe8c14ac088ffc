#include "explain/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "explain/length.h"
#include "observe/tensors.h"
#include "search/sampling.h"

namespace neo {
namespace {
using Codes = std::vector<int64_t>;

// One pair, and what is needed to run programs on it.
struct Task {
  NeoImpl& model;
  torch::Tensor x, y;  // [1, N]; y may be undefined
  const Policy& policy;
  HardExecutor* executor;  // null: states stay latent
};

// `runs` on x, all at once. With a temperature, also how likely the programmer finds them.
Trajectory run_all(const Task& task, const std::vector<Codes>& runs, double temperature) {
  size_t longest = 0;
  for (const Codes& run : runs) longest = std::max(longest, run.size());
  const auto count = static_cast<int64_t>(runs.size());
  Programs programs{torch::zeros({count, static_cast<int64_t>(longest)}, torch::kLong),
                    torch::zeros({count}, torch::kLong)};
  for (int64_t i = 0; i < count; ++i) {
    const Codes& run = runs[static_cast<size_t>(i)];
    std::copy(run.begin(), run.end(), programs.codes[i].data_ptr<int64_t>());
    programs.lengths.data_ptr<int64_t>()[i] = static_cast<int64_t>(run.size());
  }
  const auto repeated = [&](const torch::Tensor& t) { return t.defined() ? t.repeat({count, 1}) : t; };
  return run_programs(task.model, repeated(task.x), repeated(task.y), programs,
                      {.hard_grounding = task.executor != nullptr,
                       .temperature = temperature,
                       .executor = task.executor});
}

// tensor[row][column], without a tensor for every number.
template <typename T>
T at(const torch::Tensor& tensor, int64_t row, int64_t column) {
  return tensor.accessor<T, 2>()[row][column];
}

// The first `length` steps of a trajectory's row.
ProgramRun run_of(const Task& task, const Trajectory& t, int64_t row, int64_t length) {
  ProgramRun run;
  run.trace.push_back(to_observation(t.observations[0][row]));
  for (int64_t k = 0; k < length; ++k) {
    run.codes.push_back(at<int64_t>(t.codes, row, k));
    run.losses.push_back(at<float>(t.losses, row, k));
    run.trace.push_back(to_observation(t.observations[static_cast<size_t>(k + 1)][row]));
    if (t.log_probability.defined()) run.log_probability += at<float>(t.log_probability, row, k);
  }
  if (length == 0) return run;
  run.exact = at<bool>(t.exact, row, length - 1);
  run.explained = explained(run.losses.back(), run.exact, task.policy.tolerance);
  return run;
}

// A program that was looked at: as much of what was executed as the length rule keeps.
struct Candidate {
  ProgramRun run;
  Codes executed;
  double log_mass = 0;  // of all that was executed, not normalised
};

Codes row_of(const torch::Tensor& codes, int64_t length) {
  const auto plain = codes.contiguous();
  return {plain.data_ptr<int64_t>(), plain.data_ptr<int64_t>() + length};
}

Candidate candidate_of(const Task& task, const Trajectory& t, int64_t row, const Codes& executed, int64_t length) {
  Candidate candidate{run_of(task, t, row, length), executed, 0};
  // A run ends where it explains y.
  if (candidate.run.explained) candidate.executed.resize(static_cast<size_t>(length));
  for (size_t k = 0; k < candidate.executed.size(); ++k)
    candidate.log_mass += at<float>(t.log_probability, row, static_cast<int64_t>(k));
  return candidate;
}

Candidate cut(const Task& task, const Trajectory& t, int64_t row, const Codes& executed) {
  const auto steps = static_cast<int64_t>(executed.size());
  const auto part = [&](const torch::Tensor& all) { return all.narrow(0, row, 1).narrow(1, 0, steps); };
  return candidate_of(task, t, row, executed,
                      choose_lengths(part(t.losses), part(t.exact), length_rule(task.policy)).item<int64_t>());
}

// The lengths that were tried, up to the first that explains y.
std::vector<LengthChoice> lengths_of(const Policy& policy, const Explanations& found) {
  std::vector<LengthChoice> lengths;
  for (int64_t k = 1; k <= found.tried_losses.size(1); ++k) {
    const double loss = at<float>(found.tried_losses, 0, k - 1);
    const bool exact = at<bool>(found.tried_exact, 0, k - 1);
    if (std::isinf(loss)) break;
    lengths.push_back(
        {k, loss, weighted_loss(policy.lambda, k, loss), exact, explained(loss, exact, policy.tolerance)});
    if (lengths.back().explained) break;
  }
  return lengths;
}

// The same of a program's own steps.
std::vector<LengthChoice> lengths_of(const Policy& policy, const ProgramRun& run) {
  std::vector<LengthChoice> lengths;
  for (const double loss : run.losses) {
    const int64_t k = std::ssize(lengths) + 1;
    const bool exact = run.exact && k == std::ssize(run.losses);
    lengths.push_back({k, loss, weighted_loss(policy.lambda, k, loss), exact, explained(loss, exact, policy.tolerance)});
  }
  return lengths;
}

torch::Tensor uniforms(RngStream& random, int64_t rows, int64_t columns) {
  auto out = torch::empty({rows, columns});
  std::generate_n(out.data_ptr<float>(), rows * columns,
                  [&] { return static_cast<float>(random.uniform()); });
  return out;
}

// Distinct programs drawn from the programmer, as far as they went.
std::vector<Codes> draw(const Task& task, uint64_t seed) {
  RngStream random(seed, "explain");
  std::set<Codes> distinct;
  if (task.executor) {
    const Candidates drawn = draw_candidates(
        task.model, task.x, task.y,
        {.draws = task.policy.draws, .steps = task.policy.steps, .temperature = task.policy.temperature}, random);
    for (int64_t i = 0; i < task.policy.draws; ++i) {
      const auto solved = drawn.lengths[0][i].item<int64_t>();
      distinct.insert(row_of(drawn.codes[0][i], solved > 0 ? solved : task.policy.steps));
    }
  } else {
    InductionOptions rollout{{.hard_grounding = false, .temperature = task.policy.temperature}};
    rollout.steps = task.policy.steps;
    rollout.uniforms = uniforms(random, task.policy.draws, task.policy.steps);
    const auto repeated = [&](const torch::Tensor& t) { return t.repeat({task.policy.draws, 1}); };
    const Trajectory t = induce(task.model, repeated(task.x), repeated(task.y), rollout);
    for (int64_t i = 0; i < task.policy.draws; ++i) distinct.insert(row_of(t.codes[i], task.policy.steps));
  }
  return {distinct.begin(), distinct.end()};
}

double log_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

// The programs that draws end as, each with the mass of its draws. Draws that differ only after the place
// where they explain y are one.
std::map<Codes, Candidate> drawn_candidates(const Task& task, const Codes& known, uint64_t seed) {
  const auto runs = draw(task, seed);
  const Trajectory t = run_all(task, runs, task.policy.temperature);
  std::set<Codes> counted{known};
  std::map<Codes, Candidate> candidates;
  for (size_t i = 0; i < runs.size(); ++i) {
    Candidate found = cut(task, t, static_cast<int64_t>(i), runs[i]);
    if (!counted.insert(found.executed).second) continue;
    const double log_mass = found.log_mass;
    const auto [entry, is_new] = candidates.try_emplace(found.run.codes, std::move(found));
    if (is_new) continue;
    entry->second.log_mass = log_sum(entry->second.log_mass, log_mass);
  }
  return candidates;
}

// What the theory prefers, least first: programs that explain y, short ones first; else those that come closest.
std::pair<bool, double> rank(const Policy& policy, const ProgramRun& run) {
  const auto length = static_cast<int64_t>(run.codes.size());
  if (run.explained) return {false, static_cast<double>(length)};
  if (run.losses.empty()) return {true, std::numeric_limits<double>::infinity()};
  const bool by_length = length_rule(policy).fallback != Fallback::all_steps;
  return {true, by_length ? weighted_loss(policy.lambda, length, run.losses.back()) : run.losses.back()};
}

// The program that the search ends with, unless one that was drawn is better; of several such the likeliest.
const Candidate& preferred(const Policy& policy, const Candidate& found, const std::map<Codes, Candidate>& candidates) {
  const Candidate* best = &found;
  for (const auto& [codes, candidate] : candidates) {
    const auto own = rank(policy, candidate.run), least = rank(policy, best->run);
    if (own < least || (own == least && best != &found && candidate.log_mass > best->log_mass)) best = &candidate;
  }
  return *best;
}

// Fills in what else was possible, and how likely everything is.
void add_alternatives(const Task& task, Candidate chosen, const ExplainOptions& options, Explanation& out) {
  std::map<Codes, Candidate> candidates = drawn_candidates(task, chosen.executed, options.seed);
  if (const auto same = candidates.find(out.run.codes); same != candidates.end())
    chosen.log_mass = log_sum(chosen.log_mass, same->second.log_mass);
  candidates[chosen.run.codes] = chosen;
  chosen = preferred(task.policy, Candidate(chosen), candidates);
  if (chosen.run.codes != out.run.codes) {
    out.reason = drawn_reason(out.run, chosen.run, task.policy.draws);
    out.run = chosen.run;
    out.lengths = lengths_of(task.policy, out.run);
  }
  double total = 0;
  for (const auto& [codes, candidate] : candidates) total += std::exp(candidate.log_mass);
  const auto mass = [&](const Candidate& c) { return total > 0 ? std::exp(c.log_mass) / total : 0; };
  out.mass = total > 0 ? mass(chosen) : 1;  // no candidate has any weight
  candidates.erase(chosen.run.codes);
  for (auto& [codes, candidate] : candidates) out.alternatives.push_back({std::move(candidate.run), mass(candidate)});
  std::stable_sort(out.alternatives.begin(), out.alternatives.end(), [](const auto& a, const auto& b) {
    return a.run.exact != b.run.exact ? a.run.exact : a.mass > b.mass;
  });
  if (out.alternatives.size() > static_cast<size_t>(options.alternatives))
    out.alternatives.resize(static_cast<size_t>(options.alternatives));
}

}  // namespace

Explanation explain(NeoImpl& model, const Observation& x, const Observation& y, const Policy& policy,
                    const ExplainOptions& options) {
  torch::NoGradGuard no_grad;
  const auto own = policy.hard_grounding && !options.executor ? make_hard_executor(model) : nullptr;
  HardExecutor* executor = !policy.hard_grounding ? nullptr : options.executor ? options.executor : own.get();
  const Task task{model, to_rows(model.space(), x), to_rows(model.space(), y), policy, executor};
  const Explanations found = explain_pairs(model, task.x, task.y, policy, executor);
  const auto length = found.programs.lengths.item<int64_t>();
  // Greedy induction has taken all K steps, a beam only those of its program.
  const Codes executed = row_of(found.trajectory.codes[0], found.trajectory.codes.size(1));
  const Candidate chosen =
      candidate_of(task, run_all(task, {executed}, policy.temperature), 0, executed, length);
  Explanation out;
  out.run = chosen.run;
  out.lengths = lengths_of(policy, found);
  out.reason = length_reason(out.lengths, length, length_rule(policy), model.space().is_categorical());
  if (options.alternatives > 0) add_alternatives(task, chosen, options, out);
  return out;
}

ProgramRun run_program(NeoImpl& model, const Observation& x, const std::vector<int64_t>& codes, const Policy& policy,
                       const Observation* y, HardExecutor* executor) {
  torch::NoGradGuard no_grad;
  if (codes.empty()) {
    ProgramRun run{.trace = {x}};
    if (y) run.exact = run.explained = *y == x;
    return run;
  }
  const auto own = policy.hard_grounding && !executor ? make_hard_executor(model) : nullptr;
  const Task task{model, to_rows(model.space(), x), y ? to_rows(model.space(), *y) : torch::Tensor(), policy,
                  !policy.hard_grounding ? nullptr : executor ? executor : own.get()};
  ProgramRun run = run_of(task, run_all(task, {codes}, 0), 0, static_cast<int64_t>(codes.size()));
  if (!y) {
    run.losses.clear();
    run.exact = run.explained = false;
  }
  return run;
}

std::vector<int64_t> override_steps(std::vector<int64_t> codes, const std::map<int64_t, int64_t>& overrides,
                                    int64_t vocabulary) {
  for (const auto& [step, code] : overrides) {
    if (step < 1 || step > static_cast<int64_t>(codes.size()))
      fail_usage("there is no step {} to override; the program has {}", step, codes.size());
    if (code < 0 || code >= vocabulary)
      fail_usage("there is no code z{}; the vocabulary has z0 to z{}", code, vocabulary - 1);
    codes[static_cast<size_t>(step - 1)] = code;
  }
  return codes;
}

}  // namespace neo
