#include "eval/vocabulary.h"

#include <algorithm>
#include <map>

#include "model/hard_executor.h"

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

Vocabulary inspect_vocabulary(NeoImpl& model, const torch::Tensor& raw_inputs) {
  torch::NoGradGuard no_grad;
  const auto inputs = raw_inputs.contiguous();
  const int64_t codes = model.quantizer().config().codes;
  const auto executor = make_hard_executor(model);
  std::map<int64_t, torch::Tensor> outputs;  // by code; retired ones are left out
  for (int64_t code : model.quantizer().active())
    outputs[code] = executor->next(inputs, torch::full({inputs.size(0)}, code, torch::kLong));
  Vocabulary v;
  v.primitives = model.world().primitives();
  v.inputs = inputs.size(0);
  v.alignment.assign(static_cast<size_t>(codes), std::vector<double>(v.primitives.size(), 0.0));
  v.no_op.assign(static_cast<size_t>(codes), 0.0);
  for (const auto& [code, output] : outputs)
    v.no_op[static_cast<size_t>(code)] = share((output == inputs).all(1), static_cast<double>(v.inputs));
  double covered = 0, pairs = 0;
  for (size_t p = 0; p < v.primitives.size(); ++p) {
    const Oracle oracle = oracle_of(model.world(), static_cast<int>(p), inputs);
    const auto count = oracle.valid.sum().item<double>();
    auto any = torch::zeros_like(oracle.valid);
    for (const auto& [code, output] : outputs) {
      const auto hit = (output == oracle.output).all(1).logical_and(oracle.valid);
      v.alignment[static_cast<size_t>(code)][p] = share(hit, count);
      any = any.logical_or(hit);
    }
    v.exactness.push_back(share(any, count));
    covered += any.sum().item<double>();
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
