#include "kernels/row_parallel.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

struct Chunked {
  torch::Tensor x = torch::randn({11, 3}).requires_grad_();
  torch::Tensor fixed = torch::randn({11, 4});
  torch::Tensor weight = torch::randn({7, 5}).requires_grad_();
  torch::Tensor frozen = torch::randn({5});
  torch::Tensor unused = torch::randn({2}).requires_grad_();

  RowFunction function() const {
    return [this](const std::vector<torch::Tensor>& rows) {
      return torch::tanh(torch::cat({rows[0], rows[1]}, 1).matmul(weight) + frozen);
    };
  }
  torch::Tensor chunked(int64_t rows) const {
    return by_rows({x, fixed}, {weight, frozen, unused}, function(), rows);
  }
};

TEST(ByRows, HasTheValueAndTheGradientsOfTheWhole) {
  torch::manual_seed(1);
  const Chunked p;
  const auto whole = p.function()({p.x, p.fixed});
  const auto upstream = torch::randn_like(whole);
  const auto expected = torch::autograd::grad({whole}, {p.x, p.weight}, {upstream});
  for (int64_t rows : {1, 4, 11, 50}) {
    SCOPED_TRACE(rows);
    const auto out = p.chunked(rows);
    EXPECT_TRUE(torch::allclose(out, whole));
    const auto found = torch::autograd::grad({out}, {p.x, p.weight}, {upstream});
    for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-6));
  }
}

TEST(ByRows, DoesNotDependOnTheNumberOfThreads) {
  torch::manual_seed(2);
  const Chunked p;
  const int threads = torch::get_num_threads();
  std::vector<torch::Tensor> gradients;
  for (int count : {1, 2, 3}) {
    torch::set_num_threads(count);
    gradients.push_back(torch::autograd::grad({p.chunked(2).sum()}, {p.weight})[0]);
  }
  torch::set_num_threads(threads);
  EXPECT_TRUE(torch::equal(gradients[0], gradients[1]));
  EXPECT_TRUE(torch::equal(gradients[0], gradients[2]));
}

TEST(ByRows, HasNoGraphWithoutGradient) {
  const Chunked p;
  const torch::NoGradGuard no_gradient;
  const auto out = p.chunked(4);
  EXPECT_FALSE(out.requires_grad());
  EXPECT_TRUE(torch::allclose(out, p.function()({p.x, p.fixed})));
}

TEST(ByRows, AnEmptyBatchStaysEmpty) {
  Chunked p;
  p.x = torch::zeros({0, 3});
  p.fixed = torch::zeros({0, 4});
  EXPECT_EQ(p.chunked(4).sizes(), torch::IntArrayRef({0, 5}));
}

}  // namespace
}  // namespace neo
