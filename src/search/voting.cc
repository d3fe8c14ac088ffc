#include "search/voting.h"

#include <limits>
#include <map>

#include "core/error.h"
#include "observe/tensors.h"
#include "search/shared_nodes.h"

namespace neo {
namespace {
constexpr int64_t kReplaysAtOnce = 2048;

std::vector<std::string> as_keys(const torch::Tensor& ends) {
  const auto flat = ends.flatten(1).contiguous();
  std::vector<std::string> keys;
  for (int64_t i = 0; i < flat.size(0); ++i) {
    const ObservationView bytes = row_bytes(flat, i);
    keys.emplace_back(bytes.begin(), bytes.end());
  }
  return keys;
}

}  // namespace

Choice choice_named(const std::string& name) {
  for (Choice choice : {Choice::sequence, Choice::behaviour, Choice::description}) {
    if (name_of(choice) == name) return choice;
  }
  fail_usage("the choice of programs is '{}'; one of: sequence, behaviour, description", name);
}

std::string name_of(Choice choice) {
  if (choice == Choice::sequence) return "sequence";
  return choice == Choice::behaviour ? "behaviour" : "description";
}

torch::Tensor spelling_classes(const Candidates& candidates) {
  auto classes = torch::full_like(candidates.lengths, -1);
  auto of = classes.accessor<int64_t, 2>();
  const auto codes = candidates.codes.accessor<int64_t, 3>();
  const auto lengths = candidates.lengths.accessor<int64_t, 2>();
  for (int64_t e = 0; e < classes.size(0); ++e) {
    Numbering<std::vector<int64_t>> numbering;
    for (int64_t m = 0; m < classes.size(1); ++m) {
      std::vector<int64_t> program;
      for (int64_t k = 0; k < lengths[e][m]; ++k) program.push_back(codes[e][m][k]);
      if (!program.empty()) of[e][m] = numbering.of(program);
    }
  }
  return classes;
}

Replay replay(NeoImpl& model, HardExecutor& executor, const Candidates& candidates,
              const torch::Tensor& inputs) {
  const int64_t each = inputs.size(1);
  Replay all{spelling_classes(candidates), {}, {}};
  auto program = all.program.accessor<int64_t, 2>();
  std::vector<int64_t> pair, candidate;  // where each distinct program is first met
  for (int64_t e = 0; e < all.program.size(0); ++e) {
    const auto before = static_cast<int64_t>(pair.size());
    for (int64_t m = 0; m < all.program.size(1); ++m) {
      if (program[e][m] < 0) continue;
      program[e][m] += before;
      if (program[e][m] < static_cast<int64_t>(pair.size())) continue;
      pair.push_back(e);
      candidate.push_back(m);
    }
  }
  const auto distinct = static_cast<int64_t>(pair.size());
  all.ends = torch::empty({distinct, each, inputs.size(2)}, inputs.options());
  all.uncertainty = torch::empty({distinct, each});
  for (int64_t begin = 0; begin < distinct; begin += kReplaysAtOnce) {
    const int64_t count = std::min(kReplaysAtOnce, distinct - begin);
    const auto slice = [&](const std::vector<int64_t>& v) {
      return torch::tensor(at::ArrayRef<int64_t>(v.data() + begin, static_cast<size_t>(count)), torch::kLong);
    };
    const auto rows = slice(pair);
    const auto columns = slice(candidate);
    const Programs programs{candidates.codes.index({rows, columns}).repeat_interleave(each, 0),
                            candidates.lengths.index({rows, columns}).repeat_interleave(each, 0)};
    const Trajectory t = run_programs(model, inputs.index_select(0, rows).flatten(0, 1), {}, programs,
                                      {.executor = &executor});
    all.ends.narrow(0, begin, count).copy_(t.ends(programs.lengths).view({count, each, inputs.size(2)}));
    // A self-loss is a mean over elements.
    all.uncertainty.narrow(0, begin, count).copy_((t.self_losses.sum(1) * inputs.size(2)).view({count, each}));
  }
  return all;
}

double replay_calls(const Replay& run, const Candidates& candidates, int64_t budget) {
  const auto program = run.program.accessor<int64_t, 2>();
  const auto lengths = candidates.lengths.accessor<int64_t, 2>();
  int64_t steps = 0, known = -1;  // distinct programs are numbered in order of appearance
  for (int64_t e = 0; e < run.program.size(0); ++e) {
    for (int64_t m = 0; m < run.program.size(1); ++m) {
      if (program[e][m] <= known) continue;
      known = program[e][m];
      if (m < budget) steps += lengths[e][m];
    }
  }
  return static_cast<double>(steps * run.ends.size(1));
}

torch::Tensor behaviour_classes(const Replay& on_probes) {
  const auto acts = as_keys(on_probes.ends);
  auto classes = torch::full_like(on_probes.program, -1);
  auto of = classes.accessor<int64_t, 2>();
  const auto program = on_probes.program.accessor<int64_t, 2>();
  for (int64_t e = 0; e < classes.size(0); ++e) {
    Numbering<std::string> numbering;
    for (int64_t m = 0; m < classes.size(1); ++m) {
      if (program[e][m] >= 0) of[e][m] = numbering.of(acts[static_cast<size_t>(program[e][m])]);
    }
  }
  return classes;
}

torch::Tensor vote(const Candidates& candidates, const torch::Tensor& classes, int64_t budget) {
  const auto class_of = classes.accessor<int64_t, 2>();
  auto weights = torch::ones(classes.sizes(), torch::kDouble);
  if (candidates.log_probability.defined()) {
    // Relative to the likeliest: the probability of a long program may be too small for a number.
    const auto best = std::get<0>(candidates.log_probability.max(1, /*keepdim=*/true));
    weights = (candidates.log_probability - best).exp().to(torch::kDouble);
  }
  const auto weight = weights.accessor<double, 2>();
  auto winners = torch::full({classes.size(0)}, -1, torch::kLong);
  for (int64_t e = 0; e < classes.size(0); ++e) {
    std::vector<double> total;
    std::vector<int64_t> first;
    for (int64_t m = 0; m < std::min(budget, classes.size(1)); ++m) {
      if (class_of[e][m] < 0) continue;
      if (class_of[e][m] == static_cast<int64_t>(total.size())) {
        total.push_back(0);
        first.push_back(m);
      }
      total[static_cast<size_t>(class_of[e][m])] += weight[e][m];
    }
    const auto best = std::max_element(total.begin(), total.end());
    if (best != total.end())
      winners.data_ptr<int64_t>()[e] = first[static_cast<size_t>(best - total.begin())];
  }
  return winners;
}

torch::Tensor shortest_description(const Candidates& candidates, const Replay& on_probes, double price,
                                   int64_t budget) {
  const auto program = on_probes.program.accessor<int64_t, 2>();
  const auto lengths = candidates.lengths.accessor<int64_t, 2>();
  const auto uncertainty = on_probes.uncertainty.sum(1).contiguous();
  auto winners = torch::full({program.size(0)}, -1, torch::kLong);
  for (int64_t e = 0; e < program.size(0); ++e) {
    double least = std::numeric_limits<double>::infinity();
    for (int64_t m = 0; m < std::min(budget, program.size(1)); ++m) {
      if (program[e][m] < 0) continue;
      const double description =
          price * static_cast<double>(lengths[e][m]) + uncertainty.data_ptr<float>()[program[e][m]];
      if (description >= least) continue;
      least = description;
      winners.data_ptr<int64_t>()[e] = m;
    }
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
