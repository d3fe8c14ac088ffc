#include "eval/diagnosis.h"

#include <algorithm>

#include "eval/vocabulary.h"
#include "observe/tensors.h"

namespace neo {
namespace {
constexpr int64_t kInputs = 2000;

// The primitive that each code stands for, and the code of each primitive; -1: none.
struct Names {
  std::vector<int> primitive_of;
  std::vector<int64_t> code_of;
};

Names names_of(const Vocabulary& vocabulary) {
  Names names;
  names.code_of.assign(vocabulary.primitives.size(), -1);
  for (const auto& row : vocabulary.alignment) {
    const auto best = std::max_element(row.begin(), row.end());
    names.primitive_of.push_back(*best > 0 ? static_cast<int>(best - row.begin()) : -1);
  }
  for (size_t p = 0; p < names.code_of.size(); ++p) {
    double most = 0;
    for (size_t code = 0; code < vocabulary.alignment.size(); ++code) {
      if (vocabulary.alignment[code][p] <= most) continue;
      most = vocabulary.alignment[code][p];
      names.code_of[p] = static_cast<int64_t>(code);
    }
  }
  return names;
}

// Runs true primitives. Losses are 0 where the target is met and 1 elsewhere.
class PerfectExecutor : public HardExecutor {
 public:
  PerfectExecutor(const Benchmark& benchmark, const Names& names) : benchmark_(benchmark), names_(names) {}
  Reading step(const StepBatch& batch) override {
    const int64_t count = batch.source.size(0);
    auto hard = batch.observations.index_select(0, batch.source).contiguous();
    for (int64_t i = 0; i < count; ++i) {
      const int primitive = names_.primitive_of[static_cast<size_t>(batch.codes[i].item<int64_t>())];
      if (primitive < 0) continue;
      const auto result = benchmark_.apply(primitive, row_bytes(hard, i));
      if (result) std::copy(result->begin(), result->end(), static_cast<uint8_t*>(hard[i].data_ptr()));
    }
    const auto exact = (hard == batch.targets.index_select(0, batch.source)).all(1);
    return {exact.logical_not().to(torch::kFloat), torch::zeros({count}), hard, exact};
  }

 private:
  const Benchmark& benchmark_;
  const Names& names_;
};

int64_t operand_length(const std::vector<double>& values) {
  const auto first = std::ranges::find_if(values, [](double value) { return value != 0; });
  return std::max<int64_t>(1, values.end() - first);
}

std::map<std::string, std::vector<Diagnosis::Bin>> executor_bins(NeoImpl& model, const Benchmark& benchmark,
                                                                 const Names& names, const torch::Tensor& inputs) {
  const Space& space = model.space();
  const bool is_number = space.layout == Layout::number;
  std::map<std::string, std::vector<Diagnosis::Bin>> executor;
  const auto run = make_hard_executor(model);
  for (size_t p = 0; p < names.code_of.size(); ++p) {
    std::map<int64_t, std::pair<int64_t, int64_t>> bins;  // length -> inputs, exact
    torch::Tensor predicted;
    if (names.code_of[p] >= 0)
      predicted = run->next(inputs, torch::full({inputs.size(0)}, names.code_of[p], torch::kLong));
    for (int64_t i = 0; i < inputs.size(0); ++i) {
      const ObservationView input = row_bytes(inputs, i);
      const auto truth = benchmark.apply(static_cast<int>(p), input);
      if (!truth) continue;
      auto& [count, exact] = bins[is_number ? operand_length(values_of(space, input)) : space.size()];
      ++count;
      if (predicted.defined()) exact += std::ranges::equal(*truth, row_bytes(predicted, i));
    }
    for (const auto& [length, bin] : bins) {
      executor[benchmark.primitives()[p]].push_back(
          {length, bin.first, static_cast<double>(bin.second) / static_cast<double>(bin.first)});
    }
  }
  return executor;
}

double with_perfect_executor(NeoImpl& model, const Episodes& episodes, const Benchmark& benchmark, const Names& names,
                             const Policy& policy) {
  PerfectExecutor executor(benchmark, names);
  const Explanations found = explain_pairs(model, episodes.support_x, episodes.support_y, policy, &executor);
  const auto predicted = apply_programs(model, episodes.query_x, found.programs, policy, &executor);
  return exact_rows(predicted, episodes.query_y).to(torch::kDouble).mean().item<double>();
}

double with_perfect_programmer(NeoImpl& model, const Episodes& episodes, const Benchmark& benchmark,
                               const Names& names, const Policy& policy) {
  const int64_t longest = std::max<int64_t>(1, episodes.longest_program());
  Programs programs{torch::zeros({episodes.size(), longest}, torch::kLong),
                    torch::zeros({episodes.size()}, torch::kLong)};
  auto named = torch::ones({episodes.size()}, torch::kBool);
  for (int64_t e = 0; e < episodes.size(); ++e) {
    const Program program = benchmark.parse_program(episodes.programs[static_cast<size_t>(e)]);
    programs.lengths[e] = static_cast<int64_t>(program.size());
    for (size_t k = 0; k < program.size(); ++k) {
      const int64_t code = names.code_of[static_cast<size_t>(program[k])];
      if (code < 0) named[e] = false;
      programs.codes[e][static_cast<int64_t>(k)] = std::max<int64_t>(code, 0);
    }
  }
  const auto right = exact_rows(apply_programs(model, episodes.query_x, programs, policy), episodes.query_y);
  return right.logical_and(named).to(torch::kDouble).mean().item<double>();
}

}  // namespace

nlohmann::json to_json(const Diagnosis& d) {
  nlohmann::json executor;
  for (const auto& [primitive, bins] : d.executor) {
    for (const auto& bin : bins)
      executor[primitive].push_back({{"length", bin.length}, {"inputs", bin.inputs}, {"exact", bin.exact}});
  }
  return {{"name", d.name},
          {"executor", executor},
          {"transfer", d.transfer},
          {"perfect_executor", d.perfect_executor},
          {"perfect_programmer", d.perfect_programmer}};
}

Diagnosis diagnose(NeoImpl& model, const Episodes& episodes, const Policy& policy, const Benchmark& benchmark) {
  torch::NoGradGuard no_grad;
  Policy hard = policy;
  hard.hard_grounding = true;
  hard.search = "greedy";
  const auto inputs = episodes.support_x.narrow(0, 0, std::min(kInputs, episodes.size())).contiguous();
  const Names names = names_of(inspect_vocabulary(model, inputs, &benchmark));
  return {episodes.name, executor_bins(model, benchmark, names, inputs),
          evaluate_policy(model, episodes, hard).transfer.value_or(0),
          with_perfect_executor(model, episodes, benchmark, names, hard),
          with_perfect_programmer(model, episodes, benchmark, names, hard)};
}

}  // namespace neo
