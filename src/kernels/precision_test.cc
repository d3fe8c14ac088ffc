#include "kernels/precision.h"

#include <torch/torch.h>

#include "core/error.h"
#include "kernels/frozen_ops.h"
#include "kernels/testing.h"

namespace neo {
namespace {

std::string refusal(Precision precision) {
  try {
    require(precision);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Precision, IsFloat32UnlessAskedFor) { EXPECT_EQ(precision(), Precision::float32); }

TEST(Precision, NamesAreFoundAndOthersRefused) {
  for (const Precision precision : {Precision::float32, Precision::bf16})
    EXPECT_EQ(precision_named(name_of(precision)), precision);
  EXPECT_THROW(precision_named("fp8"), UsageError);
}

TEST(Precision, Bf16WithoutItsInstructionsIsRefusedWithTheRemedy) {
  const ScopedInstructions without(Instructions::portable);
  EXPECT_EQ(refusal(Precision::float32), "");
  EXPECT_NE(refusal(Precision::bf16).find("--precision float32"), std::string::npos);
  EXPECT_THROW(ScopedPrecision{Precision::bf16}, UsageError);
}

// On machines that have it.
class Rounded : public testing::TestWithParam<Rounding> {};

TEST_P(Rounded, FrozenLayersAreExactUnlessTheyAllowRounding) {
  torch::manual_seed(2);
  const ConvWeights weights{torch::randn({16, 16, 3, 3}), torch::randn({16})};
  ConvLayer layer = make_layer({.in_channels = 16, .out_channels = 16, .in_height = 4, .in_width = 4}, weights);
  const auto x = torch::randn({5, 4 * 4 * 16});
  const auto run = [&](Precision precision) {
    const ScopedPrecision scope(precision);
    return frozen_forward(x, std::make_shared<FrozenStack>(std::vector<ConvLayer>{layer}));
  };
  const auto exact = run(Precision::float32);
  EXPECT_TRUE(torch::equal(run(Precision::bf16), exact));
  layer.allow_rounding();
  EXPECT_TRUE(torch::equal(run(Precision::float32), exact));
  const auto once = run(Precision::bf16);
  EXPECT_FALSE(torch::equal(once, exact));
  EXPECT_TRUE(torch::equal(run(Precision::bf16), once));
}

std::vector<Rounding> rounding() {
  std::vector<Rounding> list = every_rounding();
  std::erase_if(list, [](const Rounding& a) { return a.precision == Precision::float32; });
  return list;
}
INSTANTIATE_TEST_SUITE_P(Kernels, Rounded, testing::ValuesIn(rounding()), [](const auto&) { return "avx512_bf16"; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Rounded);

}  // namespace
}  // namespace neo
