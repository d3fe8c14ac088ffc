#include "explain/explain.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "explain/length.h"
#include "observe/tensors.h"
#include "rollout/rollout.h"
#include "search/beam.h"
#include "search/latent_beam.h"
#include "search/sampling.h"

namespace neo {
namespace {

using Codes = std::vector<int64_t>;

// One pair, and what is needed to run programs on it.
struct Task {
  NeoImpl& model;
  torch::Tensor x, y;  // uint8 [1, N]
  const ExplainOptions& options;
  HardExecutor* executor;  // null: states stay latent
  LengthRule rule;
};

// `runs` on x, all at once; shorter ones are filled up with code 0.
Trajectory roll(const Task& task, const std::vector<Codes>& runs) {
  size_t longest = 0;
  for (const Codes& run : runs) longest = std::max(longest, run.size());
  const auto count = static_cast<int64_t>(runs.size());
  auto codes = torch::zeros({count, static_cast<int64_t>(longest)}, torch::kLong);
  for (int64_t i = 0; i < count; ++i) {
    const Codes& run = runs[static_cast<size_t>(i)];
    std::copy(run.begin(), run.end(), codes[i].data_ptr<int64_t>());
  }
  RolloutOptions rollout{codes.size(1), task.executor != nullptr, task.options.temperature};
  rollout.codes = codes;
  rollout.executor = task.executor;
  return induce(task.model, task.x.repeat({count, 1}), task.y.repeat({count, 1}), rollout);
}

// tensor[row][column], without a tensor for every number.
template <typename T>
T at(const torch::Tensor& tensor, int64_t row, int64_t column) {
  return tensor.accessor<T, 2>()[row][column];
}

// Row `row` of a trajectory as far as its codes go: its first `length` steps.
Theory theory_of(const Task& task, const Trajectory& t, int64_t row, int64_t length) {
  Theory theory;
  theory.trace.push_back(to_observation(task.x[0]));
  for (int64_t k = 0; k < length; ++k) {
    theory.codes.push_back(at<int64_t>(t.codes, row, k));
    theory.losses.push_back(at<float>(t.losses, row, k));
    theory.trace.push_back(to_observation(t.hard[static_cast<size_t>(k)][row]));
    if (t.log_probability.defined()) theory.log_probability += at<float>(t.log_probability, row, k);
  }
  theory.exact = length > 0 && at<bool>(t.exact, row, length - 1);
  return theory;
}

LengthChoice length_choice(const Task& task, const Trajectory& t, int64_t row, int64_t length) {
  const double loss = at<float>(t.losses, row, length - 1);
  return {length, loss, std::pow(task.options.lambda, static_cast<double>(length)) * loss,
          at<bool>(t.exact, row, length - 1)};
}

// Every length of a row's program, up to the one where it stops.
std::vector<LengthChoice> lengths_of(const Task& task, const Trajectory& t, int64_t row, size_t steps) {
  std::vector<LengthChoice> lengths;
  for (int64_t k = 1; k <= static_cast<int64_t>(steps); ++k) {
    lengths.push_back(length_choice(task, t, row, k));
    if (task.options.epsilon >= 0 && lengths.back().loss <= task.options.epsilon) break;
    if (lengths.back().exact) break;
  }
  return lengths;
}

// A program that was looked at.
struct Candidate {
  Theory theory;
  double log_mass = 0;  // of all runs that end as this program, not normalised
};

// What a search over the pair says.
struct Searched {
  Candidate candidate;
  std::vector<LengthChoice> lengths;
  std::string reason;
  Codes run;  // what was executed: the program, or more
};

// The row's program, cut at the length that the rule chooses.
Searched judge(const Task& task, const Trajectory& t, int64_t row, const Codes& run) {
  Searched found;
  found.lengths = lengths_of(task, t, row, run.size());
  const ChosenLength chosen = choose_length(found.lengths, task.rule);
  found.reason = chosen.reason;
  const size_t executed = found.lengths.size();  // a run ends where the rule stops it
  found.run.assign(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(executed));
  found.candidate.theory = theory_of(task, t, row, chosen.length);
  found.candidate.log_mass =
      t.log_probability[row].narrow(0, 0, static_cast<int64_t>(executed)).sum().item<double>();
  return found;
}

Codes row_of(const torch::Tensor& codes, int64_t length) {
  const auto plain = codes.contiguous();
  return {plain.data_ptr<int64_t>(), plain.data_ptr<int64_t>() + length};
}

Searched search_greedily(const Task& task) {
  // Without uniforms the nearest code is taken; the temperature is for its probability.
  RolloutOptions rollout{task.options.steps, task.executor != nullptr, task.options.temperature};
  rollout.executor = task.executor;
  const Trajectory t = induce(task.model, task.x, task.y, rollout);
  return judge(task, t, 0, row_of(t.codes[0], task.options.steps));
}

Searched search_by_beam(const Task& task) {
  const Programs found =
      beam_search(*task.executor, task.model.quantizer().active(), task.x, task.y,
                  {.depth = task.options.steps, .width = task.options.width, .lambda = task.options.lambda})
          .programs;
  const Codes run = row_of(found.codes[0], found.lengths[0].item<int64_t>());
  return judge(task, roll(task, {run}), 0, run);
}

// The best program of each length competes.
Searched search_by_latent_beam(const Task& task) {
  const LatentFound found = latent_beam(task.model, task.x, task.y, task.options.steps, task.options.width);
  std::vector<Codes> runs;
  for (int64_t k = 0; k < task.options.steps; ++k) runs.push_back(row_of(found.codes[0][k], k + 1));
  const Trajectory t = roll(task, runs);
  Searched out;
  for (int64_t k = 0; k < task.options.steps; ++k) out.lengths.push_back(length_choice(task, t, k, k + 1));
  ChosenLength chosen = choose_length(out.lengths, task.rule);
  const bool close = task.options.epsilon >= 0 &&
                     out.lengths[static_cast<size_t>(chosen.length - 1)].loss <= task.options.epsilon;
  if (!close)
    chosen = {found.programs.lengths[0].item<int64_t>(),
              "the best of the beam by distance of states; a longer program has to come 3 % nearer"};
  out.reason = chosen.reason;
  out.run = runs[static_cast<size_t>(chosen.length - 1)];
  out.candidate.theory = theory_of(task, t, chosen.length - 1, chosen.length);
  out.candidate.log_mass = out.candidate.theory.log_probability;
  return out;
}

Searched search(const Task& task) {
  if (!task.options.beam) return search_greedily(task);
  return task.executor ? search_by_beam(task) : search_by_latent_beam(task);
}

torch::Tensor uniforms(RngStream& random, int64_t rows, int64_t columns) {
  auto out = torch::empty({rows, columns});
  std::generate_n(out.data_ptr<float>(), rows * columns,
                  [&] { return static_cast<float>(random.uniform()); });
  return out;
}

// Programs drawn from the programmer, and what they did.
struct Drawn {
  std::vector<Codes> runs;  // as far as they went
  Trajectory trajectory;    // a row for each
};

Drawn draw(const Task& task) {
  const ExplainOptions& options = task.options;
  RngStream random(options.seed, "explain");
  if (task.executor) {
    const Candidates drawn = draw_candidates(
        task.model, task.x, task.y,
        {.draws = options.draws, .steps = options.steps, .temperature = options.temperature}, random);
    std::set<Codes> distinct;
    for (int64_t i = 0; i < options.draws; ++i) {
      const auto solved = drawn.lengths[0][i].item<int64_t>();
      distinct.insert(row_of(drawn.codes[0][i], solved > 0 ? solved : options.steps));
    }
    std::vector<Codes> runs(distinct.begin(), distinct.end());
    return {runs, roll(task, runs)};
  }
  RolloutOptions rollout{options.steps, false, options.temperature};
  rollout.uniforms = uniforms(random, options.draws, options.steps);
  Drawn drawn{
      {}, induce(task.model, task.x.repeat({options.draws, 1}), task.y.repeat({options.draws, 1}), rollout)};
  for (int64_t i = 0; i < options.draws; ++i)
    drawn.runs.push_back(row_of(drawn.trajectory.codes[i], options.steps));
  return drawn;
}

// The programs that draws end as, each with the mass of its draws. Draws that differ only after the place
// where the rule stops them are one.
std::map<Codes, Candidate> drawn_candidates(const Task& task, const Codes& known) {
  const auto [runs, t] = draw(task);
  std::set<Codes> counted{known};
  std::map<Codes, Candidate> candidates;
  for (size_t i = 0; i < runs.size(); ++i) {
    Searched found = judge(task, t, static_cast<int64_t>(i), runs[i]);
    if (!counted.insert(found.run).second) continue;
    const auto [entry, is_new] =
        candidates.try_emplace(found.candidate.theory.codes, std::move(found.candidate));
    if (is_new) continue;
    double& mass = entry->second.log_mass;
    mass = std::max(mass, found.candidate.log_mass) +
           std::log1p(std::exp(-std::abs(mass - found.candidate.log_mass)));
  }
  return candidates;
}

// Fills in what else was possible, and how likely everything is.
void add_alternatives(const Task& task, const Searched& chosen, Explanation& out) {
  std::map<Codes, Candidate> candidates = drawn_candidates(task, chosen.run);
  double own = std::exp(chosen.candidate.log_mass);
  if (const auto same = candidates.find(out.theory.codes); same != candidates.end()) {
    own += std::exp(same->second.log_mass);
    candidates.erase(same);
  }
  double total = own;
  for (const auto& [codes, candidate] : candidates) total += std::exp(candidate.log_mass);
  if (!(total > 0)) total = own = 1;  // nobody proposed anything of weight
  out.mass = own / total;
  for (auto& [codes, candidate] : candidates)
    out.alternatives.push_back({std::move(candidate.theory), std::exp(candidate.log_mass) / total});
  std::stable_sort(out.alternatives.begin(), out.alternatives.end(), [](const auto& a, const auto& b) {
    return a.theory.exact != b.theory.exact ? a.theory.exact : a.mass > b.mass;
  });
  if (out.alternatives.size() > static_cast<size_t>(task.options.alternatives))
    out.alternatives.resize(static_cast<size_t>(task.options.alternatives));
}

}  // namespace

Explanation explain(NeoImpl& model, const Observation& x, const Observation& y,
                    const ExplainOptions& options) {
  NEO_CHECK_LT(0, options.steps);
  NEO_CHECK_LT(0.0, options.temperature);
  const auto own = options.hard_grounding && !options.executor ? make_hard_executor(model) : nullptr;
  HardExecutor* executor = options.executor ? options.executor : own.get();
  const Task task{model,
                  to_row(x),
                  to_row(y),
                  options,
                  options.hard_grounding ? executor : nullptr,
                  {options.lambda, options.epsilon, model.observation().readout().is_categorical()}};
  Searched chosen = search(task);
  Explanation out;
  out.theory = std::move(chosen.candidate.theory);
  out.lengths = std::move(chosen.lengths);
  out.reason = std::move(chosen.reason);
  if (options.alternatives > 0 && options.draws > 0) add_alternatives(task, chosen, out);
  return out;
}

Theory run_program(NeoImpl& model, const Observation& x, const std::vector<int64_t>& codes,
                   bool hard_grounding, const Observation* y, HardExecutor* executor) {
  Theory theory;
  theory.trace.push_back(x);
  if (y) theory.exact = *y == x;
  if (codes.empty()) return theory;
  const auto own = hard_grounding && !executor ? make_hard_executor(model) : nullptr;
  ExplainOptions options;
  options.temperature = 0;
  const Task task{model,
                  to_row(x),
                  to_row(y ? *y : x),
                  options,
                  hard_grounding ? (executor ? executor : own.get()) : nullptr,
                  {}};
  theory = theory_of(task, roll(task, {codes}), 0, static_cast<int64_t>(codes.size()));
  if (!y) {
    theory.losses.clear();
    theory.exact = false;
  }
  return theory;
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
