#include "model/routing_executor.h"

#include <ATen/Parallel.h>

#include "core/error.h"

namespace neo {
namespace {
constexpr int64_t kGrain = 256;  // observations worth another thread
}

RoutingExecutor::RoutingExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width) {
  if (config.values < 1) fail_usage("model.executor.values is {}; routing needs the number of values", config.values);
  // As many codes as dimensions: every code has a direction of its own.
  codes_ = register_buffer("codes", torch::zeros({action_width, action_width}));
  values_ = register_buffer("values", torch::zeros({config.values, state.width}));
  sources_ = register_buffer("sources", torch::arange(state.tokens, torch::kInt).repeat({action_width, 1}));
  map_ = register_buffer("map", torch::arange(config.values, torch::kInt).repeat({action_width, 1}));
}

void RoutingExecutor::set(const std::vector<Routing>& operations, const torch::Tensor& codes,
                          const torch::Tensor& values) {
  torch::NoGradGuard no_grad;
  codes_.copy_(codes);
  values_.copy_(values);
  const auto cells = static_cast<int32_t>(sources_.size(1));
  for (size_t z = 0; z < operations.size(); ++z) {
    const Routing& operation = operations[z];
    auto* source = sources_[static_cast<int64_t>(z)].data_ptr<int32_t>();
    auto* map = map_[static_cast<int64_t>(z)].data_ptr<int32_t>();
    for (size_t cell = 0; cell < operation.sources.size(); ++cell)
      source[cell] = operation.sources[cell] == Routing::kConstant ? cells + operation.constants[cell]
                                                                   : operation.sources[cell];
    std::copy(operation.map.begin(), operation.map.end(), map);
  }
}

torch::Tensor RoutingExecutor::next_values(const torch::Tensor& observations, const torch::Tensor& source,
                                           const torch::Tensor& codes) const {
  const int64_t count = source.size(0), cells = sources_.size(1), values = map_.size(1);
  const auto inputs = observations.to(torch::kInt).contiguous();
  const auto from = source.contiguous(), code = codes.contiguous();
  auto out = torch::empty({count, cells}, torch::kInt);
  at::parallel_for(0, count, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto* x = inputs.data_ptr<int32_t>() + from.data_ptr<int64_t>()[i] * cells;
      const int64_t z = code.data_ptr<int64_t>()[i];
      const auto* where = sources_.data_ptr<int32_t>() + z * cells;
      const auto* map = map_.data_ptr<int32_t>() + z * values;
      auto* y = out.data_ptr<int32_t>() + i * cells;
      for (int64_t cell = 0; cell < cells; ++cell)
        y[cell] = where[cell] < cells ? map[x[where[cell]]] : where[cell] - static_cast<int32_t>(cells);
    }
  });
  return out;
}

torch::Tensor RoutingExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  const auto observations = state.matmul(values_.t()).argmax(-1);
  const auto codes = action.matmul(codes_.t()).argmax(-1);
  const auto next = next_values(observations, torch::arange(state.size(0)), codes);
  return values_.index_select(0, next.flatten().to(torch::kLong)).view_as(state);
}

}  // namespace neo
