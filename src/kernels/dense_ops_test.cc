#include "kernels/dense_ops.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(DenseOps, ValuesAndGradientsMatchTorch) {
  torch::manual_seed(1);
  for (bool relu : {false, true}) {
    for (const auto& [in, out] : std::vector<std::pair<int64_t, int64_t>>{{64, 256}, {5, 3}, {17, 40}}) {
      SCOPED_TRACE(testing::Message() << in << " -> " << out << ", relu " << relu);
      auto x = torch::randn({33, 7, in}).requires_grad_();
      auto weight = torch::randn({out, in}).requires_grad_();
      auto bias = torch::randn({out}).requires_grad_();
      const auto y = dense(x, weight, bias, relu);
      const auto linear = torch::linear(x, weight, bias);
      const auto expected = relu ? torch::relu(linear) : linear;
      EXPECT_TRUE(torch::allclose(y, expected, 1e-4, 1e-4));
      const auto upstream = torch::randn_like(y);
      const auto ours = torch::autograd::grad({y}, {x, weight, bias}, {upstream});
      const auto theirs = torch::autograd::grad({expected}, {x, weight, bias}, {upstream});
      for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-3, 1e-3));
    }
  }
}

TEST(DenseOps, ReadsRowsThatAreNotContiguous) {
  torch::manual_seed(2);
  const auto x = torch::randn({6, 5, 8}).narrow(1, 0, 1);
  const auto weight = torch::randn({4, 8}), bias = torch::randn({4});
  EXPECT_TRUE(torch::allclose(dense(x, weight, bias), torch::linear(x, weight, bias), 1e-5, 1e-5));
}

TEST(DenseOps, OtherTypesGoToTorch) {
  const auto x = torch::randn({2, 3}, torch::kDouble), weight = torch::randn({4, 3}, torch::kDouble);
  const auto bias = torch::randn({4}, torch::kDouble);
  EXPECT_TRUE(torch::equal(dense(x, weight, bias), torch::linear(x, weight, bias)));
}

}  // namespace
}  // namespace neo
