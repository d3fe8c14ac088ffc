#include "train/adamw.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "core/error.h"
#include "kernels/adamw_update.h"
#include "model/weights.h"

namespace neo {
namespace {
constexpr int64_t kGrain = 1 << 15;  // values worth another thread
}

AdamW::AdamW(std::vector<Group> groups, const Options& options)
    : groups_(std::move(groups)), options_(options) {
  for (const Group& group : groups_) {
    std::vector<Moments> moments;
    for (const auto& [name, parameter] : group.parameters) {
      TORCH_CHECK(parameter.is_contiguous() && parameter.scalar_type() == torch::kFloat, name,
                  " must be contiguous float");
      moments.push_back({torch::zeros_like(parameter), torch::zeros_like(parameter)});
    }
    moments_.push_back(std::move(moments));
  }
}

void AdamW::zero_grad() {
  for (Group& group : groups_) {
    for (auto& [name, parameter] : group.parameters) parameter.mutable_grad() = torch::Tensor();
  }
}

double AdamW::step(double rate_multiplier) {
  torch::NoGradGuard no_grad;
  double squares = 0;
  for (const Group& group : groups_) {
    for (const auto& [name, parameter] : group.parameters) {
      if (parameter.grad().defined()) squares += std::pow(parameter.grad().norm().item<double>(), 2);
    }
  }
  const double norm = std::sqrt(squares);
  if (!std::isfinite(norm)) return norm;
  const double scale = options_.clip > 0 ? std::min(1.0, options_.clip / (norm + 1e-6)) : 1.0;
  ++steps_;
  const double correction1 = 1 - std::pow(options_.beta1, static_cast<double>(steps_));
  const double correction2 = std::sqrt(1 - std::pow(options_.beta2, static_cast<double>(steps_)));
  for (size_t g = 0; g < groups_.size(); ++g) {
    const double rate = groups_[g].rate * rate_multiplier;
    const AdamWUpdate update{.beta1 = static_cast<float>(options_.beta1),
                             .beta2 = static_cast<float>(options_.beta2),
                             .epsilon = static_cast<float>(options_.epsilon),
                             .scale = static_cast<float>(scale),
                             .keep = static_cast<float>(1 - rate * options_.decay),
                             .step_size = static_cast<float>(rate / correction1),
                             .root_scale = static_cast<float>(1 / correction2)};
    for (size_t i = 0; i < groups_[g].parameters.size(); ++i) {
      auto& parameter = groups_[g].parameters[i].second;
      if (!parameter.grad().defined()) continue;
      const auto gradient_tensor = parameter.grad().contiguous();
      const float* gradient = gradient_tensor.data_ptr<float>();
      float* value = parameter.data_ptr<float>();
      float* first = moments_[g][i].first.data_ptr<float>();
      float* second = moments_[g][i].second.data_ptr<float>();
      at::parallel_for(0, parameter.numel(), kGrain, [&](int64_t begin, int64_t end) {
        adamw_update(update, gradient + begin, value + begin, first + begin, second + begin, end - begin);
      });
    }
  }
  return norm;
}

void AdamW::forget(const std::string& parameter, int64_t row) {
  torch::NoGradGuard no_grad;
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (size_t i = 0; i < groups_[g].parameters.size(); ++i) {
      if (groups_[g].parameters[i].first != parameter) continue;
      moments_[g][i].first[row].zero_();
      moments_[g][i].second[row].zero_();
    }
  }
}

void AdamW::save(std::map<std::string, TensorData>& out) const {
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (size_t i = 0; i < groups_[g].parameters.size(); ++i) {
      const std::string& name = groups_[g].parameters[i].first;
      out["adamw.first." + name] = to_tensor_data(moments_[g][i].first);
      out["adamw.second." + name] = to_tensor_data(moments_[g][i].second);
    }
  }
  out["adamw.steps"] = to_tensor_data(torch::tensor(steps_, torch::kLong));
}

void AdamW::load(const std::map<std::string, TensorData>& in, const std::string& origin) {
  const auto find = [&](const std::string& name) {
    const auto found = in.find(name);
    if (found == in.end()) fail("{} lacks '{}'; it is no checkpoint of this run", origin, name);
    return to_tensor(found->second);
  };
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (size_t i = 0; i < groups_[g].parameters.size(); ++i) {
      const std::string& name = groups_[g].parameters[i].first;
      moments_[g][i].first.copy_(find("adamw.first." + name));
      moments_[g][i].second.copy_(find("adamw.second." + name));
    }
  }
  steps_ = find("adamw.steps").item<int64_t>();
}

}  // namespace neo
