#include "eval/vocabulary.h"

#include <algorithm>

namespace neo {
namespace {

// The true result of a primitive on each input, and where it exists.
struct Oracle {
  torch::Tensor output;  // uint8 [E, N]
  torch::Tensor valid;   // bool [E]
};

Oracle oracle_of(const World& world, int primitive, const torch::Tensor& inputs) {
  Oracle oracle{torch::zeros_like(inputs), torch::zeros({inputs.size(0)}, torch::kBool)};
  const auto size = static_cast<size_t>(inputs.size(1));
  for (int64_t i = 0; i < inputs.size(0); ++i) {
    const auto result = world.apply(primitive, {inputs[i].data_ptr<uint8_t>(), size});
    if (!result) continue;
    std::copy(result->begin(), result->end(), oracle.output[i].data_ptr<uint8_t>());
    oracle.valid[i] = true;
  }
  return oracle;
}

double share(const torch::Tensor& hits, double of) {
  return of > 0 ? hits.to(torch::kDouble).sum().item<double>() / of : 0.0;
}

}  // namespace

nlohmann::json to_json(const Vocabulary& v) {
  return {{"primitives", v.primitives}, {"alignment", v.alignment},         {"no_op", v.no_op},
          {"exactness", v.exactness},   {"primitiveness", v.primitiveness}, {"purity", v.purity},
          {"inputs", v.inputs}};
}

namespace {
constexpr double kUnchanged = 5;  // mean difference of pixels, of 255, below which nothing has happened

// Where `output` is what each primitive gives, [primitives + 1] times [E]; the last one is the no-op.
// Categorical outputs have to be equal; pixels never are, so there it is the nearest in L1.
std::vector<torch::Tensor> matches(const torch::Tensor& output, const torch::Tensor& inputs,
                                   const std::vector<Oracle>& oracles, bool categorical) {
  std::vector<torch::Tensor> found;
  if (categorical) {
    for (const Oracle& o : oracles) found.push_back((output == o.output).all(1).logical_and(o.valid));
    found.push_back((output == inputs).all(1));
    return found;
  }
  const auto distance = [&](const torch::Tensor& to) {
    return (output.to(torch::kFloat) - to.to(torch::kFloat)).abs().mean(1);
  };
  if (oracles.empty()) return {distance(inputs) < kUnchanged};
  std::vector<torch::Tensor> distances;
  for (const Oracle& o : oracles)
    distances.push_back(distance(o.output).masked_fill(o.valid.logical_not(), 1e9));
  distances.push_back(distance(inputs));
  const auto nearest = torch::stack(distances).argmin(0);
  for (size_t p = 0; p < distances.size(); ++p) found.push_back(nearest == static_cast<int64_t>(p));
  return found;
}
}  // namespace

Vocabulary inspect_vocabulary(NeoImpl& model, const torch::Tensor& raw_inputs, HardExecutor* executor) {
  torch::NoGradGuard no_grad;
  if (!model.has_codes()) return {};
  const auto inputs = raw_inputs.contiguous();
  const int64_t codes = model.quantizer().config().codes;
  const bool categorical = model.observation().readout().is_categorical();
  Vocabulary v;
  v.primitives = model.world().primitives();
  v.inputs = inputs.size(0);
  v.alignment.assign(static_cast<size_t>(codes), std::vector<double>(v.primitives.size(), 0.0));
  v.no_op.assign(static_cast<size_t>(codes), 0.0);
  std::vector<Oracle> oracles;
  for (size_t p = 0; p < v.primitives.size(); ++p)
    oracles.push_back(oracle_of(model.world(), static_cast<int>(p), inputs));
  std::vector<torch::Tensor> any(oracles.size(), torch::zeros({v.inputs}, torch::kBool));
  const auto own = executor ? nullptr : make_hard_executor(model);
  if (!executor) executor = own.get();
  for (int64_t code : model.quantizer().active()) {
    const auto output = executor->next(inputs, torch::full({inputs.size(0)}, code, torch::kLong));
    const auto found = matches(output, inputs, oracles, categorical);
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
  double purity = 0;
  int64_t matching = 0;
  for (const auto& row : v.alignment) {
    double total = 0;
    for (double value : row) total += value;
    if (total <= 0) continue;
    purity += *std::max_element(row.begin(), row.end()) / total;
    ++matching;
  }
  v.purity = matching > 0 ? purity / static_cast<double>(matching) : 0;
  return v;
}

}  // namespace neo
