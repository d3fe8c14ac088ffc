#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "core/safetensors.h"

namespace neo {

// AdamW with decoupled decay over groups of parameters, each with its own learning rate. LibTorch's own makes
// six temporaries per tensor and step and keeps its state in a form that only pickles; this one is a single
// pass over memory and its state goes to safetensors as it is.
class AdamW {
 public:
  struct Group {
    std::string name;
    double rate = 1e-3;  // base learning rate of the group
    std::vector<std::pair<std::string, torch::Tensor>> parameters;
  };
  struct Options {
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01;
    double clip = 1.0;  // global L2 norm; 0: none
  };
  AdamW(std::vector<Group> groups, const Options& options);

  void zero_grad();
  // Clips, then updates every parameter that has a gradient. Returns the norm before clipping; if it is not
  // finite, nothing is updated.
  double step(double rate_multiplier);
  // Clears the moments of one row of a parameter that has just been set by hand.
  void forget(const std::string& parameter, int64_t row);
  const std::vector<Group>& groups() const { return groups_; }

  void save(std::map<std::string, TensorData>& out) const;
  void load(const std::map<std::string, TensorData>& in, const std::string& origin);

 private:
  struct Moments {
    torch::Tensor first, second;
  };
  std::vector<Group> groups_;
  std::vector<std::vector<Moments>> moments_;
  Options options_;
  int64_t steps_ = 0;
};

}  // namespace neo
