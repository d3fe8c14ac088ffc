#pragma once

#include <torch/torch.h>

#include <cmath>
#include <string>

#include "model/policy.h"

namespace neo {

// The length where none explains the pair: all K steps, or the argmin over k of lambda^k loss_k (Eq. 5).
enum class Fallback { all_steps, mdl };
Fallback fallback_named(const std::string& name);  // "all" or "mdl"

// The one rule for the length of a program: the shortest that explains y, exactly or to within the tolerance; else
// the fallback.
struct LengthRule {
  Fallback fallback = Fallback::all_steps;
  double lambda = 1.0;
  double tolerance = 0.0;
};

LengthRule length_rule(const Policy& policy);

inline double weighted_loss(double lambda, int64_t length, double loss) {
  return std::pow(lambda, static_cast<double>(length)) * loss;
}

// Whether y is explained: exactly, or (tolerance > 0) with a loss of at most the tolerance.
inline bool explained(double loss, bool exact, double tolerance) {
  return exact || (tolerance > 0 && loss <= tolerance);
}
// The same of tensors, both [...] -> bool [...]
torch::Tensor explained(const torch::Tensor& losses, const torch::Tensor& exact, double tolerance);

// losses, exact: [B, K] after 1 ... K steps -> lengths [B], from 1.
torch::Tensor choose_lengths(const torch::Tensor& losses, const torch::Tensor& exact, const LengthRule& rule);

}  // namespace neo
