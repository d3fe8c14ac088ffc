#include "kernels/norm_ops.h"

#include "kernels/testing.h"

namespace neo {
namespace {

namespace nn = torch::nn;

nn::LayerNorm norm_of(int64_t width) {
  nn::LayerNorm norm(nn::LayerNormOptions({width}));
  const torch::NoGradGuard no_grad;
  norm->weight.normal_();
  norm->bias.normal_();
  return norm;
}

void expect_near(const torch::Tensor& a, const torch::Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_LE((a - b).abs().max().item<double>(), 1e-5 * (1 + b.abs().max().item<double>()));
}

class NormOps : public EveryForm {};

TEST_P(NormOps, ValuesAndGradientsMatchTorch) {
  torch::manual_seed(1);
  for (const int64_t width : {16, 64, 20}) {
    for (const int64_t rows : {1, 3, 700}) {
      SCOPED_TRACE(testing::Message() << rows << " rows of " << width);
      const auto x = (3 * torch::randn({rows, 2, width}) + 1).requires_grad_();
      const auto change = torch::randn({rows, rows == 3 ? 1 : 2, width}).requires_grad_();
      const auto norm = norm_of(width);
      const auto y = add_and_norm(x, change, norm), expected = nn::LayerNorm(norm)->forward(x + change);
      expect_near(y, expected);
      const auto upstream = torch::randn_like(y);
      const std::vector<torch::Tensor> leaves{x, change, norm->weight, norm->bias};
      const auto ours = torch::autograd::grad({y}, leaves, {upstream});
      const auto theirs = torch::autograd::grad({expected}, leaves, {upstream});
      for (size_t i = 0; i < leaves.size(); ++i) expect_near(ours[i], theirs[i]);
    }
  }
}

TEST_P(NormOps, GradientsDoNotDependOnTheNumberOfThreads) {
  torch::manual_seed(2);
  const auto norm = norm_of(32);
  const auto x = torch::randn({1500, 32}).requires_grad_(), change = torch::randn({1500, 32});
  const auto run = [&](int threads) {
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    const auto y = add_and_norm(x, change, norm);
    const auto out = torch::autograd::grad({y.square().sum()}, {x, norm->weight, norm->bias});
    at::set_num_threads(before);
    return out;
  };
  const auto one = run(1), two = run(2);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], two[i]));
}

NEO_ON_EVERY_FORM(NormOps);

}  // namespace
}  // namespace neo
