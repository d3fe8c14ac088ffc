#include "kernels/dense_ops.h"

#include "kernels/dense_pass.h"

namespace neo {
namespace {
namespace autograd = torch::autograd;

struct Dense : autograd::Function<Dense> {
  // `parameters` are the weights and biases of `layers`, given for the graph to see.
  static torch::Tensor forward(autograd::AutogradContext* context, const torch::Tensor& x,
                               at::TensorList parameters, const std::vector<DenseLayer>& layers) {
    const auto made = dense_forward(x.reshape({-1, x.size(-1)}).contiguous(), layers);
    auto saved = made.values;
    saved.push_back(made.bits);
    saved.insert(saved.end(), parameters.begin(), parameters.end());
    context->save_for_backward(saved);
    std::vector<int64_t> relus;
    for (const DenseLayer& layer : layers) relus.push_back(layer.relu);
    context->saved_data["relus"] = relus;
    context->saved_data["shape"] = x.sizes().vec();
    auto shape = x.sizes().vec();
    shape.back() = layers.back().weight.size(0);
    return made.values.back().view(shape);
  }

  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& upstream) {
    const auto relus = context->saved_data["relus"].toIntVector();
    const auto saved = context->get_saved_variables();
    const size_t count = relus.size();
    const std::vector<torch::Tensor> values(saved.begin(), saved.begin() + static_cast<int64_t>(count) + 1);
    std::vector<DenseLayer> layers;
    for (size_t i = 0; i < count; ++i)
      layers.push_back({saved[count + 2 + 2 * i], saved[count + 3 + 2 * i], relus[i] != 0});
    auto dy = upstream[0].reshape({-1, upstream[0].size(-1)}).contiguous();
    if (layers.back().relu) dy = torch::threshold_backward(dy, values.back(), 0);
    const auto gradients = dense_backward(dy, layers, saved[count + 1], context->needs_input_grad(0));
    autograd::variable_list out{gradients[0].defined()
                                    ? gradients[0].view(context->saved_data["shape"].toIntVector())
                                    : torch::Tensor()};
    for (auto& gradient : dense_parameter_gradients(values, gradients)) out.push_back(std::move(gradient));
    out.emplace_back();
    return out;
  }
};

torch::Tensor plain(const torch::Tensor& x, const std::vector<DenseLayer>& layers) {
  auto y = x;
  for (const DenseLayer& layer : layers) {
    y = torch::linear(y, layer.weight, layer.bias);
    if (layer.relu) y = torch::relu(y);
  }
  return y;
}

}  // namespace

torch::Tensor dense(const torch::Tensor& x, const std::vector<DenseLayer>& layers) {
  if (!x.is_cpu() || x.scalar_type() != torch::kFloat) return plain(x, layers);
  std::vector<torch::Tensor> parameters;
  for (const DenseLayer& layer : layers) parameters.insert(parameters.end(), {layer.weight, layer.bias});
  return Dense::apply(x, at::TensorList(parameters), layers);
}

torch::Tensor dense(const torch::Tensor& x, const torch::nn::Sequential& layers) {
  std::vector<DenseLayer> chain;
  for (const auto& layer : *layers) {
    if (const auto* linear = layer.ptr()->as<torch::nn::Linear>())
      chain.push_back({linear->weight, linear->bias});
    else
      chain.back().relu = true;
  }
  return dense(x, chain);
}

}  // namespace neo
