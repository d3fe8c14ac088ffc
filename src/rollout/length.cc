#include "rollout/length.h"

#include "core/error.h"

namespace neo {

Fallback fallback_named(const std::string& name) {
  if (name == "all") return Fallback::all_steps;
  if (name == "mdl") return Fallback::mdl;
  fail_usage("policy.fallback is '{}'; one of: all, mdl", name);
}

torch::Tensor explained(const torch::Tensor& losses, const torch::Tensor& exact, double tolerance) {
  return tolerance > 0 ? exact.logical_or(losses <= tolerance) : exact;
}

torch::Tensor choose_lengths(const torch::Tensor& losses, const torch::Tensor& exact, const LengthRule& rule) {
  const int64_t steps = losses.size(1);
  auto chosen = torch::full({losses.size(0)}, steps, torch::kLong);
  if (rule.fallback == Fallback::mdl) {
    const auto powers = torch::pow(rule.lambda, torch::arange(1, steps + 1, torch::kDouble)).to(torch::kFloat);
    chosen = (losses * powers).argmin(1) + 1;
  }
  const auto solved = explained(losses, exact, rule.tolerance);
  const auto first = solved.to(torch::kInt).argmax(1) + 1;  // argmax: the first of equals
  return torch::where(solved.any(1), first, chosen);
}

LengthRule length_rule(const Policy& policy) {
  return {fallback_named(policy.fallback), policy.lambda, policy.tolerance};
}

}  // namespace neo
