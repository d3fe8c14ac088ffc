#include "train/methods.h"

#include <algorithm>

#include "core/error.h"

namespace neo {

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"disc-mono", "disc-mono", "Disc-Mono"},
      {"cont-mono", "cont-mono", "Cont-Mono"},
      {"cont-mono-opt", "cont-mono", "Cont-Mono-Opt"},
      {"neo", "neo", "NEO"},
  };
  return all;
}

const Method& method_named(const std::string& name) {
  const auto found = std::ranges::find(methods(), name, &Method::name);
  if (found == methods().end()) {
    std::vector<std::string> names;
    for (const Method& method : methods()) names.push_back(method.name);
    fail_usage("there is no method '{}'; one of: {}", name, fmt::join(names, ", "));
  }
  return *found;
}

const std::vector<Ablation>& ablations(const std::string& world) {
  static const std::vector<Ablation> gridworld{
      {"base", "NEO (rollout)", "fast-rollout", 0.33, {}},
      {"no-grounding", "no grounding", "fast-rollout", 0.33, {"objective.grounding=0"}},
      {"codes-36", "|E| = 36", "fast-rollout", 0.33, {"model.quantizer.codes=36"}},
      {"codes-36-lambda-1.2",
       "|E| = 36, lambda = 1.2",
       "fast-rollout",
       0.33,
       {"model.quantizer.codes=36", "objective.lambda_start=1.2", "objective.lambda_end=1.2"}},
      {"codes-36-lambda-0.8",
       "|E| = 36, lambda = 0.8",
       "fast-rollout",
       0.33,
       {"model.quantizer.codes=36", "objective.lambda_start=0.8", "objective.lambda_end=0.8"}},
      {"resets", "codebook resets", "fast-rollout", 0.33, {"resets.every=50"}},
  };
  static const std::vector<Ablation> none;
  return world == "gridworld" ? gridworld : none;
}

}  // namespace neo
