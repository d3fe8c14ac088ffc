#include "eval/diagnosis.h"

#include <algorithm>

#include "eval/vocabulary.h"

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
  PerfectExecutor(const World& world, const Names& names) : world_(world), names_(names) {}
  Reading read(const Moves& moves) override {
    const int64_t count = moves.source.size(0);
    auto hard = moves.observations.index_select(0, moves.source).contiguous();
    const int64_t size = hard.size(1);
    for (int64_t i = 0; i < count; ++i) {
      const int primitive = names_.primitive_of[static_cast<size_t>(moves.codes[i].item<int64_t>())];
      if (primitive < 0) continue;
      auto* cells = hard.data_ptr<uint8_t>() + i * size;
      const auto result = world_.apply(primitive, {cells, static_cast<size_t>(size)});
      if (result) std::copy(result->begin(), result->end(), cells);
    }
    const auto exact = (hard == moves.targets.index_select(0, moves.source)).all(1);
    return {exact.logical_not().to(torch::kFloat), torch::zeros({count}), hard, exact};
  }

 private:
  const World& world_;
  const Names& names_;
};

int64_t operand_length(const uint8_t* cells, int64_t size) {
  const auto* first = std::find_if(cells, cells + size, [](uint8_t value) { return value != 0; });
  return std::max<int64_t>(1, size - (first - cells));
}

std::map<std::string, std::vector<Diagnosis::Bin>> executor_bins(NeoImpl& model, const Names& names,
                                                                 const torch::Tensor& inputs) {
  const World& world = model.world();
  const int64_t size = inputs.size(1);
  const bool sequence = world.shape().size() == 1;
  std::map<std::string, std::vector<Diagnosis::Bin>> executor;
  const auto run = make_hard_executor(model);
  for (size_t p = 0; p < names.code_of.size(); ++p) {
    std::map<int64_t, std::pair<int64_t, int64_t>> bins;  // length -> inputs, exact
    torch::Tensor predicted;
    if (names.code_of[p] >= 0)
      predicted = run->next(inputs, torch::full({inputs.size(0)}, names.code_of[p], torch::kLong));
    for (int64_t i = 0; i < inputs.size(0); ++i) {
      const auto* cells = inputs.data_ptr<uint8_t>() + i * size;
      const auto truth = world.apply(static_cast<int>(p), {cells, static_cast<size_t>(size)});
      if (!truth) continue;
      auto& [count, exact] = bins[sequence ? operand_length(cells, size) : size];
      ++count;
      if (predicted.defined())
        exact += std::equal(truth->begin(), truth->end(), predicted.data_ptr<uint8_t>() + i * size);
    }
    for (const auto& [length, bin] : bins) {
      executor[world.primitives()[p]].push_back(
          {length, bin.first, static_cast<double>(bin.second) / static_cast<double>(bin.first)});
    }
  }
  return executor;
}

double with_perfect_executor(NeoImpl& model, const EpisodeSet& episodes, const Names& names,
                             const TransferOptions& options) {
  PerfectExecutor executor(model.world(), names);
  RolloutOptions rollout{options.steps, true};
  rollout.executor = &executor;
  const Trajectory trajectory = induce(model, episodes.support_x, episodes.support_y, rollout);
  const Programs programs{trajectory.codes,
                          explanation_lengths(trajectory, options.fallback, options.lambda)};
  const auto predicted = trace(executor, episodes.query_x, programs).select(1, options.steps);
  return exact_rows(predicted, episodes.query_y).to(torch::kDouble).mean().item<double>();
}

double with_perfect_programmer(NeoImpl& model, const EpisodeSet& episodes, const Names& names) {
  const int64_t longest = std::max<int64_t>(1, episodes.longest_program);
  Programs programs{torch::zeros({episodes.size(), longest}, torch::kLong),
                    torch::zeros({episodes.size()}, torch::kLong)};
  auto named = torch::ones({episodes.size()}, torch::kBool);
  for (int64_t e = 0; e < episodes.size(); ++e) {
    const Program& program = episodes.programs[static_cast<size_t>(e)];
    programs.lengths[e] = static_cast<int64_t>(program.size());
    for (size_t k = 0; k < program.size(); ++k) {
      const int64_t code = names.code_of[static_cast<size_t>(program[k])];
      if (code < 0) named[e] = false;
      programs.codes[e][static_cast<int64_t>(k)] = std::max<int64_t>(code, 0);
    }
  }
  const auto right = exact_rows(execute(model, episodes.query_x, programs, true), episodes.query_y);
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

Diagnosis diagnose(NeoImpl& model, const EpisodeSet& episodes, const TransferOptions& options) {
  torch::NoGradGuard no_grad;
  const auto inputs = episodes.support_x.narrow(0, 0, std::min(kInputs, episodes.size())).contiguous();
  const Names names = names_of(inspect_vocabulary(model, inputs));
  return {episodes.name, executor_bins(model, names, inputs),
          evaluate_greedy(model, episodes, options).transfer,
          with_perfect_executor(model, episodes, names, options),
          with_perfect_programmer(model, episodes, names)};
}

}  // namespace neo
