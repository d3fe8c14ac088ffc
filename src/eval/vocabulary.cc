#include "eval/vocabulary.h"

#include <algorithm>
#include <map>

#include "observe/tensors.h"

namespace neo {
namespace {

// The true result of a primitive on each input, and where it exists.
struct Oracle {
  torch::Tensor output;  // [E, N]
  torch::Tensor valid;   // bool [E]
};

Oracle oracle_of(const Benchmark& benchmark, int primitive, const torch::Tensor& inputs) {
  Oracle oracle{torch::zeros_like(inputs), torch::zeros({inputs.size(0)}, torch::kBool)};
  for (int64_t i = 0; i < inputs.size(0); ++i) {
    const auto result = benchmark.apply(primitive, row_bytes(inputs, i));
    if (!result) continue;
    std::copy(result->begin(), result->end(), static_cast<uint8_t*>(oracle.output[i].data_ptr()));
    oracle.valid[i] = true;
  }
  return oracle;
}

double share(const torch::Tensor& hits, double of) {
  return of > 0 ? hits.to(torch::kDouble).sum().item<double>() / of : 0.0;
}

constexpr double kUnchanged = 0.02;  // error below which nothing has happened

// Where `output` is what each primitive gives, [primitives + 1] times [E]; the last one is the no-op.
// Categorical outputs have to be equal; pixels never are, so there it is the nearest in L1.
std::vector<torch::Tensor> matches(const torch::Tensor& output, const torch::Tensor& inputs,
                                   const std::vector<Oracle>& oracles, const Readout& readout) {
  std::vector<torch::Tensor> found;
  if (readout.is_categorical()) {
    for (const Oracle& o : oracles) found.push_back((output == o.output).all(1).logical_and(o.valid));
    found.push_back((output == inputs).all(1));
    return found;
  }
  const auto distance = [&](const torch::Tensor& to) { return readout.error(output, to); };
  if (oracles.empty()) return {distance(inputs) < kUnchanged};
  std::vector<torch::Tensor> distances;
  for (const Oracle& o : oracles)
    distances.push_back(distance(o.output).masked_fill(o.valid.logical_not(), 1e9));
  distances.push_back(distance(inputs));
  const auto nearest = torch::stack(distances).argmin(0);
  for (size_t p = 0; p < distances.size(); ++p) found.push_back(nearest == static_cast<int64_t>(p));
  return found;
}

double mean_purity(const std::vector<std::vector<double>>& alignment) {
  double purity = 0;
  int64_t matching = 0;
  for (const auto& row : alignment) {
    double total = 0;
    for (double value : row) total += value;
    if (total <= 0) continue;
    purity += *std::max_element(row.begin(), row.end()) / total;
    ++matching;
  }
  return matching > 0 ? purity / static_cast<double>(matching) : 0;
}

// Measures every code against what primitives give on the inputs.
Vocabulary measure(NeoImpl& model, const torch::Tensor& inputs, const std::vector<std::string>& primitives,
                   const std::vector<Oracle>& oracles, HardExecutor* executor) {
  const auto codes = static_cast<size_t>(model.quantizer().config().codes);
  Vocabulary v;
  v.primitives = primitives;
  v.inputs = inputs.size(0);
  v.alignment.assign(codes, std::vector<double>(primitives.size(), 0.0));
  v.no_op.assign(codes, 0.0);
  std::vector<torch::Tensor> any(oracles.size(), torch::zeros({v.inputs}, torch::kBool));
  const auto own = executor ? nullptr : make_hard_executor(model);
  if (!executor) executor = own.get();
  for (int64_t code : model.quantizer().active()) {
    const auto output = executor->next(inputs, torch::full({inputs.size(0)}, code, torch::kLong));
    const auto found = matches(output, inputs, oracles, model.observation().readout());
    for (size_t p = 0; p < oracles.size(); ++p) {
      v.alignment[static_cast<size_t>(code)][p] = share(found[p], oracles[p].valid.sum().item<double>());
      any[p] = any[p].logical_or(found[p]);
    }
    v.no_op[static_cast<size_t>(code)] = share(found.back(), static_cast<double>(v.inputs));
  }
  double covered = 0, pairs = 0;
  for (size_t p = 0; p < oracles.size(); ++p) {
    const auto count = oracles[p].valid.sum().item<double>();
    v.exactness.push_back(share(any[p], count));
    covered += any[p].sum().item<double>();
    pairs += count;
  }
  v.primitiveness = pairs > 0 ? covered / pairs : 0;
  v.purity = mean_purity(v.alignment);
  return v;
}

}  // namespace

nlohmann::json to_json(const Vocabulary& v) {
  return {{"primitives", v.primitives}, {"alignment", v.alignment},         {"no_op", v.no_op},
          {"exactness", v.exactness},   {"primitiveness", v.primitiveness}, {"purity", v.purity},
          {"inputs", v.inputs}};
}

Vocabulary inspect_vocabulary(NeoImpl& model, const torch::Tensor& raw_inputs, const Benchmark* benchmark,
                              HardExecutor* executor) {
  torch::NoGradGuard no_grad;
  if (!model.has_codes()) return {};
  const auto inputs = raw_inputs.contiguous();
  const auto primitives = benchmark ? benchmark->primitives() : std::vector<std::string>{};
  std::vector<Oracle> oracles;
  for (size_t p = 0; p < primitives.size(); ++p)
    oracles.push_back(oracle_of(*benchmark, static_cast<int>(p), inputs));
  return measure(model, inputs, primitives, oracles, executor);
}

Vocabulary vocabulary_of_named_pairs(NeoImpl& model, const Episodes& episodes, HardExecutor* executor) {
  torch::NoGradGuard no_grad;
  if (!model.has_codes()) return {};
  std::map<std::string, std::vector<int64_t>> rows_of_primitive;
  for (size_t i = 0; i < episodes.programs.size(); ++i) {
    if (program_length(episodes.programs[i]) == 1)
      rows_of_primitive[episodes.programs[i]].push_back(static_cast<int64_t>(i));
  }
  std::vector<std::string> primitives;
  std::vector<Oracle> oracles;
  for (const auto& [name, rows] : rows_of_primitive) {
    primitives.push_back(name);
    oracles.push_back({episodes.support_y, torch::zeros({episodes.size()}, torch::kBool)});
    for (int64_t row : rows) oracles.back().valid[row] = true;
  }
  return measure(model, episodes.support_x.contiguous(), primitives, oracles, executor);
}

}  // namespace neo
