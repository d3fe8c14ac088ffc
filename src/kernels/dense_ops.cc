#include "kernels/dense_ops.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "kernels/conv_plan.h"

namespace neo {
namespace {
namespace autograd = torch::autograd;

constexpr int64_t kRows = 96;  // whose inputs stay in the first cache level or two while all panels pass by

// matrix [source, target] with the given strides, packed for run_plan as a 1x1 convolution.
ConvPlan packed(const torch::Tensor& matrix) {
  ConvPlan plan;
  const int64_t source = matrix.size(0), target = matrix.size(1);
  const int64_t panels = (target + kTileColumns - 1) / kTileColumns;
  plan.source_channels = plan.source_size = source;
  plan.target_channels = plan.target_size = target;
  plan.taps = {{0, 0}};
  plan.steps = {{.tap_begin = 0, .tap_end = 1, .target = 0}};
  plan.panel_size = source * kTileColumns;
  plan.panels.assign(static_cast<size_t>(panels * plan.panel_size), 0.0f);
  const float* value = matrix.data_ptr<float>();
  const int64_t down = matrix.stride(0), right = matrix.stride(1);
  for (int64_t t = 0; t < target; ++t) {
    float* column = plan.panels.data() + t / kTileColumns * plan.panel_size + t % kTileColumns;
    for (int64_t s = 0; s < source; ++s) column[s * kTileColumns] = value[s * down + t * right];
  }
  return plan;
}

torch::Tensor run(const ConvPlan& plan, const torch::Tensor& x, bool relu) {
  auto y = torch::empty({x.size(0), plan.target_channels});
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  const int64_t rows = x.size(0);
  at::parallel_for(0, (rows + kRows - 1) / kRows, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * kRows; first < std::min(end * kRows, rows); first += kRows)
      run_plan(plan, from + first * plan.source_size, to + first * plan.target_size,
               std::min(kRows, rows - first), {.relu = relu});
  });
  return y;
}

struct Dense : autograd::Function<Dense> {
  static torch::Tensor forward(autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight, const torch::Tensor& bias, bool relu) {
    ConvPlan plan = packed(weight.t());
    plan.bias.assign(plan.panels.size() / static_cast<size_t>(plan.source_channels), 0.0f);
    std::copy_n(bias.data_ptr<float>(), bias.size(0), plan.bias.begin());
    const auto rows = x.reshape({-1, x.size(-1)}).contiguous();
    const auto y = run(plan, rows, relu);
    context->save_for_backward({rows, weight, relu ? y : torch::Tensor()});
    context->saved_data["shape"] = x.sizes().vec();
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return y.view(shape);
  }

  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    auto dy = upstream[0].reshape({-1, upstream[0].size(-1)}).contiguous();
    if (saved[2].defined()) dy = torch::threshold_backward(dy, saved[2], 0);
    torch::Tensor dx;
    if (context->needs_input_grad(0))
      dx = run(packed(saved[1]), dy, false).view(context->saved_data["shape"].toIntVector());
    return {dx, dy.t().mm(saved[0]), dy.sum(0), {}};
  }
};

}  // namespace

torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                    bool relu) {
  if (x.is_cpu() && x.scalar_type() == torch::kFloat) return Dense::apply(x, weight, bias, relu);
  const auto y = torch::linear(x, weight, bias);
  return relu ? torch::relu(y) : y;
}

}  // namespace neo
