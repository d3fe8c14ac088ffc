#include "kernels/products_ops.h"

#include <gtest/gtest.h>

#include <functional>

#include "kernels/attention_ops.h"
#include "kernels/dense_ops.h"
#include "kernels/frozen_ops.h"

namespace neo {
namespace {

int64_t products_of(const std::function<void()>& f) {
  const AllProductCounter counter;
  f();
  return counter.count();
}

TEST(Products, OfKernelsAreThoseOfTheirShapes) {
  const auto x = torch::randn({10, 20}).requires_grad_();
  const auto weight = torch::randn({7, 20}).requires_grad_(), bias = torch::randn({7});
  EXPECT_EQ(products_of([&] { dense(x, {{weight, bias}}); }), 10 * 20 * 7);
  EXPECT_EQ(products_of([&] { dense(x, {{weight, bias}}).sum().backward(); }), 3 * 10 * 20 * 7);
  const auto query = torch::randn({3, 5, 32}), memory = torch::randn({3, 6, 64});
  EXPECT_EQ(products_of([&] { attention(query, memory, 2); }), 2 * 3 * 5 * 6 * 32);
  const ConvSpec spec{.in_channels = 4, .out_channels = 9, .in_height = 5, .in_width = 5, .padding = 1};
  const auto stack = std::make_shared<FrozenStack>(
      std::vector<ConvLayer>{make_layer(spec, {torch::randn({9, 4, 3, 3}), {}})});
  EXPECT_EQ(products_of([&] { frozen_forward(torch::randn({2, 100}), stack); }),
            2 * static_cast<int64_t>(spec.multiply_adds()));
}

TEST(Products, OfTorchAreThoseOfItsOperators) {
  const auto x = torch::randn({10, 20});
  EXPECT_EQ(products_of([&] { torch::linear(x, torch::randn({7, 20}), torch::randn({7})); }), 10 * 20 * 7);
  EXPECT_EQ(products_of([&] { torch::matmul(torch::randn({2, 3, 4}), torch::randn({2, 4, 5})); }), 2 * 3 * 4 * 5);
  EXPECT_EQ(products_of([&] { torch::conv2d(torch::randn({2, 3, 6, 6}), torch::randn({5, 3, 3, 3}), {}, 2, 1); }),
            2 * 3 * 3 * 5 * 3 * 3 * 3);
  EXPECT_EQ(products_of([&] { x.add(x); }), 0);
}

TEST(Products, AreNotCountedUnlessAsked) {
  const int64_t before = internal::products;
  dense(torch::randn({10, 20}), {{torch::randn({7, 20}), torch::randn({7})}});
  EXPECT_EQ(internal::products, before);
}

}  // namespace
}  // namespace neo
