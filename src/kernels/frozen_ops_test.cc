#include "kernels/frozen_ops.h"

#include <gtest/gtest.h>

#include "kernels/testing.h"

namespace neo {
namespace {

namespace nnf = torch::nn::functional;

// The plain way: LibTorch's channels-first operators, one layer at a time.
torch::Tensor reference_layer(const torch::Tensor& x, const ConvSpec& spec, const ConvWeights& weights) {
  const auto image =
      x.reshape({x.size(0), spec.in_height, spec.in_width, spec.in_channels}).permute({0, 3, 1, 2});
  torch::Tensor y;
  if (spec.transposed)
    y = torch::conv_transpose2d(image, weights.weight, weights.bias, spec.stride, spec.padding,
                                spec.output_padding);
  else
    y = torch::conv2d(image, weights.weight, weights.bias, spec.stride, spec.padding);
  if (spec.relu) y = torch::relu(y);
  return y.permute({0, 2, 3, 1}).reshape({x.size(0), -1});
}

ConvWeights random_weights(const ConvSpec& spec, bool with_bias = true) {
  const auto first = spec.transposed ? spec.in_channels : spec.out_channels;
  const auto second = spec.transposed ? spec.out_channels : spec.in_channels;
  const double scale = 1.0 / std::sqrt(static_cast<double>(spec.in_channels * spec.kernel));
  return {torch::randn({first, second, spec.kernel, spec.kernel}) * scale,
          with_bias ? torch::randn({spec.out_channels}) * 0.1 : torch::Tensor()};
}

struct Model {
  std::vector<ConvSpec> specs;
  std::vector<ConvWeights> weights;

  explicit Model(std::vector<ConvSpec> list) : specs(std::move(list)) {
    for (const ConvSpec& spec : specs) weights.push_back(random_weights(spec));
  }
  FrozenStackPtr stack() const {
    std::vector<ConvLayer> layers;
    for (size_t i = 0; i < specs.size(); ++i) layers.push_back(make_layer(specs[i], weights[i]));
    for (ConvLayer& layer : layers) layer.allow_rounding();
    return std::make_shared<FrozenStack>(std::move(layers));
  }
  torch::Tensor reference(torch::Tensor x) const {
    for (size_t i = 0; i < specs.size(); ++i) x = reference_layer(x, specs[i], weights[i]);
    return x;
  }
};

// FACTS section 2: 32 -> 2x2x256 -> 5x5x128 -> 10x10x64 -> 10x10x9.
Model grid_decoder() {
  return Model({ConvSpec::dense(32, 1024),
                {.in_channels = 256,
                 .out_channels = 128,
                 .in_height = 2,
                 .in_width = 2,
                 .stride = 2,
                 .transposed = true,
                 .relu = true},
                {.in_channels = 128,
                 .out_channels = 64,
                 .in_height = 5,
                 .in_width = 5,
                 .stride = 2,
                 .padding = 1,
                 .output_padding = 1,
                 .transposed = true,
                 .relu = true},
                {.in_channels = 64, .out_channels = 9, .in_height = 10, .in_width = 10, .padding = 1}});
}

void expect_close(const torch::Tensor& a, const torch::Tensor& b, double tolerance = 1e-5) {
  ASSERT_EQ(a.sizes(), b.sizes());
  if (precision() == Precision::bf16) {  // operands of eight bits; a ReLU may fall to the other side of zero
    EXPECT_LE((a - b).norm().item<double>(), 0.2 * b.norm().item<double>());
    return;
  }
  const double difference = (a - b).abs().max().item<double>(), size = b.abs().max().item<double>();
  EXPECT_LE(difference, tolerance * std::max(1.0, size));
}

void expect_parity(const Model& model, int64_t rows) {
  const auto stack = model.stack();
  auto x = torch::randn({rows, stack->in_size()}, torch::requires_grad());
  const auto y = frozen_forward(x, stack), expected = model.reference(x);
  expect_close(y.detach(), expected.detach());
  const auto upstream = torch::randn_like(y);
  expect_close(torch::autograd::grad({y}, {x}, {upstream})[0],
               torch::autograd::grad({expected}, {x}, {upstream})[0]);
}

class FrozenOps : public EveryPrecision {};

TEST_P(FrozenOps, OneLayerMatchesTorchInAllGeometries) {
  torch::manual_seed(1);
  for (bool transposed : {false, true})
    for (int64_t stride : {1, 2})
      for (int64_t padding : {0, 1})
        for (int64_t output_padding = 0; output_padding < (transposed ? stride : 1); ++output_padding)
          for (int64_t channels : {20, 64}) {  // few: every product; many: shared ones
            const bool relu = channels == 20;
            SCOPED_TRACE(testing::Message() << transposed << stride << padding << output_padding << channels);
            expect_parity(Model({{.in_channels = channels,
                                  .out_channels = channels + 5,
                                  .in_height = 5,
                                  .in_width = 4,
                                  .stride = stride,
                                  .padding = padding,
                                  .output_padding = output_padding,
                                  .transposed = transposed,
                                  .relu = relu}}),
                          15);
          }
}

TEST_P(FrozenOps, OtherKernelSizesMatchTorch) {
  torch::manual_seed(2);
  for (int64_t kernel : {1, 2, 5})
    for (int64_t channels : {3, 64})
      expect_parity(Model({{.in_channels = channels,
                            .out_channels = channels + 14,
                            .in_height = 6,
                            .in_width = 7,
                            .kernel = kernel,
                            .stride = 2,
                            .relu = true}}),
                    7);
  expect_parity(Model({ConvSpec::dense(33, 50, true)}), 29);
  // Stride beyond the kernel: some pixels are reached by no input at all.
  expect_parity(Model({{.in_channels = 4,
                        .out_channels = 4,
                        .in_height = 3,
                        .in_width = 3,
                        .kernel = 1,
                        .stride = 2,
                        .transposed = true}}),
                2);
}

TEST(MinimalFilter, TwoByTwoTargetsOfAThreeByThreeKernelTake25ProductsOf36) {
  const ConvSpec spec{.in_channels = 64, .out_channels = 64, .in_height = 5, .in_width = 5, .stride = 2};
  EXPECT_EQ(spec.multiply_adds(), 36 * 64 * 64);
  EXPECT_EQ(make_layer(spec, random_weights(spec)).forward_plan().taps.size(), 25u);
}

TEST(MinimalFilter, FewChannelsAreLeftAlone) {
  const ConvSpec spec{.in_channels = 8, .out_channels = 8, .in_height = 5, .in_width = 5, .stride = 2};
  const ConvLayer layer = make_layer(spec, random_weights(spec));
  EXPECT_EQ(layer.forward_plan().taps.size(), 36u);
  EXPECT_EQ(layer.forward_plan().slots, 0);
  EXPECT_TRUE(layer.forward_plan().inputs.empty());
}

TEST_P(FrozenOps, GridDecoderMatchesTorchWithGradient) {
  torch::manual_seed(3);
  for (int64_t rows : {1, 12, 40}) expect_parity(grid_decoder(), rows);
}

TEST_P(FrozenOps, AResultDoesNotDependOnItsBatchOrTheThreads) {
  torch::manual_seed(4);
  const auto stack = grid_decoder().stack();
  const auto x = torch::randn({40, 32});
  const auto all = frozen_forward(x, stack);
  for (int64_t row : {0, 11, 12, 39})
    EXPECT_TRUE(torch::equal(all[row], frozen_forward(x[row].view({1, 32}), stack)[0]));
  const int threads = torch::get_num_threads();
  for (int other : {1, 2, 3}) {
    torch::set_num_threads(other);
    EXPECT_TRUE(torch::equal(all, frozen_forward(x, stack)));
  }
  torch::set_num_threads(threads);
}

TEST_P(FrozenOps, ReplayOfChosenRowsHasTheirValueAndGradient) {
  torch::manual_seed(5);
  const auto stack = grid_decoder().stack();
  const auto candidates = torch::randn({30, 32});
  const auto rows = torch::tensor({29, 3, 3, 14}, torch::kLong);
  const auto record = frozen_record(candidates, stack);

  auto chosen = candidates.index_select(0, rows).requires_grad_();
  const auto replayed =
      frozen_replay(chosen, record.y.index_select(0, rows), record.bits.index_select(0, rows), stack);
  const auto computed = frozen_forward(chosen, stack);
  EXPECT_TRUE(torch::equal(replayed, computed));
  const auto upstream = torch::randn_like(replayed);
  EXPECT_TRUE(torch::equal(torch::autograd::grad({replayed}, {chosen}, {upstream})[0],
                           torch::autograd::grad({computed}, {chosen}, {upstream})[0]));
}

TEST_P(FrozenOps, GradientKeepsTheShapeOfItsInput) {
  const auto stack = grid_decoder().stack();
  auto state = torch::randn({3, 1, 32}, torch::requires_grad());
  frozen_forward(state, stack).sum().backward();
  EXPECT_EQ(state.grad().sizes(), state.sizes());
}

TEST_P(FrozenOps, CategoriesMatchEmbeddingAndConvolution) {
  torch::manual_seed(6);
  const ConvSpec first{
      .in_channels = 16, .out_channels = 40, .in_height = 10, .in_width = 9, .padding = 1, .relu = true};
  const Model rest(
      {{.in_channels = 40, .out_channels = 32, .in_height = 10, .in_width = 9, .stride = 2, .relu = true},
       ConvSpec::dense(4 * 4 * 32, 8)});
  const auto embedding = torch::randn({9, 16});
  const auto weights = random_weights(first);
  std::vector<ConvLayer> layers = rest.stack()->layers();
  const auto stack = std::make_shared<FrozenStack>(layers, make_category_conv(first, embedding, weights));

  const auto values = torch::randint(0, 9, {25, 10, 9}, torch::kByte);
  const auto embedded = torch::embedding(embedding, values.to(torch::kLong));
  expect_close(frozen_forward_categories(values, stack),
               rest.reference(reference_layer(embedded, first, weights)));
}

TEST_P(FrozenOps, BatchNormFoldsIntoEitherKindOfConvolution) {
  torch::manual_seed(7);
  const torch::NoGradGuard no_gradient;
  for (bool transposed : {false, true})
    for (bool with_bias : {false, true}) {
      const ConvSpec spec{.in_channels = 6,
                          .out_channels = 10,
                          .in_height = 5,
                          .in_width = 5,
                          .stride = 2,
                          .padding = 1,
                          .transposed = transposed};
      const auto conv = random_weights(spec, with_bias);
      const BatchNormState norm{torch::randn({10}), torch::randn({10}), torch::randn({10}),
                                torch::rand({10}) + 0.1};
      const auto x = torch::randn({4, spec.in_size()});
      const auto y = reference_layer(x, spec, conv).view({4, -1, 10});
      const auto expected = (y - norm.mean) / (norm.variance + norm.epsilon).sqrt() * norm.weight + norm.bias;
      const auto folded = make_layer(spec, fold_batch_norm(conv, norm, transposed));
      const auto stack = std::make_shared<FrozenStack>(std::vector<ConvLayer>{folded});
      expect_close(frozen_forward(x, stack), expected.reshape({4, -1}));
    }
}

TEST_P(FrozenOps, ChannelsFirstDenseWeightsAreReordered) {
  const auto weight = torch::arange(12).view({12, 1});  // 3 channels of 2x2, channels first
  const auto reordered = to_channels_last(weight, 3, 2, 2, /*dim=*/0).view({-1});
  EXPECT_TRUE(torch::equal(reordered, torch::tensor({0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11})));
}

TEST_P(FrozenOps, AnEmptyBatchStaysEmpty) {
  const auto stack = grid_decoder().stack();
  EXPECT_EQ(frozen_forward(torch::zeros({0, 32}), stack).sizes(), torch::IntArrayRef({0, 900}));
}

TEST_P(FrozenOps, WrongShapesAreRefused) {
  const auto stack = grid_decoder().stack();
  EXPECT_THROW(frozen_forward(torch::zeros({2, 31}), stack), c10::Error);
  EXPECT_THROW(frozen_forward(torch::zeros({2, 32}, torch::kDouble), stack), c10::Error);
  EXPECT_THROW(frozen_forward_categories(torch::zeros({2, 10, 10}, torch::kByte), stack), c10::Error);
  EXPECT_THROW(FrozenStack({make_layer(ConvSpec::dense(2, 3), {torch::zeros({3, 2}), {}}),
                            make_layer(ConvSpec::dense(4, 3), {torch::zeros({3, 4}), {}})}),
               std::logic_error);
  EXPECT_THROW(make_layer(ConvSpec::dense(2, 3), {torch::zeros({3, 3}), {}}), std::logic_error);
}

NEO_ON_EVERY_PRECISION(FrozenOps);

}  // namespace
}  // namespace neo
