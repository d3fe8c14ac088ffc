#include "kernels/dense_ops.h"

#include <gtest/gtest.h>

#include "kernels/testing.h"

namespace neo {
namespace {

std::vector<DenseLayer> chain(const std::vector<int64_t>& widths, const std::vector<bool>& relus) {
  std::vector<DenseLayer> layers;
  for (size_t i = 0; i < relus.size(); ++i)
    layers.push_back({torch::randn({widths[i + 1], widths[i]}).requires_grad_(),
                      torch::randn({widths[i + 1]}).requires_grad_(), relus[i]});
  return layers;
}

torch::Tensor to_bf16(const torch::Tensor& x) { return x.to(torch::kBFloat16).to(torch::kFloat); }

// What a layer is with rounded operands and float32 sums. Channels are rounded in pairs; an odd number of them is not.
struct RoundedLinear : torch::autograd::Function<RoundedLinear> {
  static torch::Tensor product(const torch::Tensor& a, const torch::Tensor& b) {
    return b.size(0) % 2 ? a.matmul(b) : to_bf16(a).matmul(to_bf16(b));
  }
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight, const torch::Tensor& bias) {
    context->save_for_backward({x, weight});
    return product(x, weight.t()) + bias;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const auto dy = upstream[0].reshape({-1, upstream[0].size(-1)}), x = saved[0].reshape({-1, saved[0].size(-1)});
    return {product(upstream[0], saved[1]), to_bf16(dy).t().matmul(to_bf16(x)), dy.sum(0)};
  }
};

torch::Tensor reference(const torch::Tensor& x, const std::vector<DenseLayer>& layers) {
  auto y = x;
  for (const DenseLayer& layer : layers) {
    y = precision() == Precision::bf16 ? RoundedLinear::apply(y, layer.weight, layer.bias)
                                       : torch::linear(y, layer.weight, layer.bias);
    if (layer.relu) y = torch::relu(y);
  }
  return y;
}

bool near(const torch::Tensor& a, const torch::Tensor& b) {
  // In a chain, results that differ in their last bit may be rounded to different neighbours.
  if (precision() == Precision::bf16) return (a - b).norm().item<double>() <= 1e-3 * b.norm().item<double>();
  return (a - b).abs().max().item<double>() <= 1e-5 * (1 + b.abs().max().item<double>());
}

void expect_parity(const torch::Tensor& x, const std::vector<DenseLayer>& layers) {
  const auto y = dense(x, layers), expected = reference(x, layers);
  ASSERT_EQ(y.sizes(), expected.sizes());
  EXPECT_TRUE(near(y, expected));
  std::vector<torch::Tensor> leaves;
  if (x.requires_grad()) leaves.push_back(x);
  for (const DenseLayer& layer : layers) leaves.insert(leaves.end(), {layer.weight, layer.bias});
  const auto upstream = torch::randn_like(y);
  const auto ours = torch::autograd::grad({y}, leaves, {upstream});
  const auto theirs = torch::autograd::grad({expected}, leaves, {upstream});
  for (size_t i = 0; i < leaves.size(); ++i) EXPECT_TRUE(near(ours[i], theirs[i])) << "leaf " << i;
}

class DenseOps : public EveryPrecision {};

TEST_P(DenseOps, ValuesAndGradientsOfOneLayerMatchTorch) {
  torch::manual_seed(1);
  for (bool relu : {false, true}) {
    for (const auto& [in, out] : std::vector<std::pair<int64_t, int64_t>>{{64, 256}, {5, 3}, {17, 40}}) {
      SCOPED_TRACE(testing::Message() << in << " -> " << out << ", relu " << relu);
      expect_parity(torch::randn({33, 7, in}).requires_grad_(), chain({in, out}, {relu}));
    }
  }
}

TEST_P(DenseOps, ValuesAndGradientsOfAChainMatchTorch) {
  torch::manual_seed(3);
  for (int64_t rows : {1, 5, 256, 400}) {
    for (bool learns : {false, true}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, input learns " << learns);
      const auto x = torch::randn({rows, 20}).requires_grad_(learns);
      expect_parity(x, chain({20, 128, 37, 16, 5}, {true, true, false, false}));
      expect_parity(x, chain({20, 33, 48}, {true, true}));
    }
  }
}

TEST_P(DenseOps, NoRowsGiveNoRowsAndNoGradient) {
  const auto layers = chain({4, 3}, {false});
  const auto y = dense(torch::zeros({0, 4}), layers);
  EXPECT_EQ(y.sizes(), (std::vector<int64_t>{0, 3}));
  y.sum().backward();
  EXPECT_TRUE(torch::equal(layers[0].weight.grad(), torch::zeros({3, 4})));
}

TEST_P(DenseOps, ASequenceIsItsLayers) {
  torch::manual_seed(4);
  const torch::nn::Sequential layers(torch::nn::Linear(6, 9), torch::nn::ReLU(), torch::nn::Linear(9, 2));
  const auto x = torch::randn({11, 6});
  const auto *first = layers->ptr(0)->as<torch::nn::Linear>(), *second = layers->ptr(2)->as<torch::nn::Linear>();
  EXPECT_TRUE(torch::equal(dense(x, layers), dense(x, {{first->weight, first->bias, true}, {second->weight, second->bias}})));
}

TEST_P(DenseOps, NeitherValuesNorGradientsDependOnTheNumberOfThreads) {
  torch::manual_seed(5);
  const auto layers = chain({32, 128, 16}, {true, false});
  const auto x = torch::randn({300, 32}).requires_grad_();
  const auto run = [&](int threads) {
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    const auto y = dense(x, layers);
    auto out = torch::autograd::grad({y.square().sum()}, {x, layers[0].weight, layers[1].bias});
    at::set_num_threads(before);
    out.push_back(y);
    return out;
  };
  const auto one = run(1), two = run(2);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], two[i]));
}

TEST_P(DenseOps, ReadsRowsThatAreNotContiguous) {
  torch::manual_seed(2);
  const auto x = torch::randn({6, 5, 8}).narrow(1, 0, 1);
  const auto weight = torch::randn({4, 8}), bias = torch::randn({4});
  EXPECT_TRUE(near(dense(x, {{weight, bias}}), reference(x, {{weight, bias}})));
}

TEST_P(DenseOps, OtherTypesGoToTorch) {
  const auto x = torch::randn({2, 3}, torch::kDouble), weight = torch::randn({4, 3}, torch::kDouble);
  const auto bias = torch::randn({4}, torch::kDouble);
  EXPECT_TRUE(torch::equal(dense(x, {{weight, bias}}), torch::linear(x, weight, bias)));
}

NEO_ON_EVERY_PRECISION(DenseOps);

}  // namespace
}  // namespace neo
