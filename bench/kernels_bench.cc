// Each kernel beside the LibTorch operators it replaces, and beside a large matrix product, which is as fast
// as this processor gets. The models are GridWorld's `paper` encoder and decoder with random weights.
//   ninja -C build kernels_bench && build/bench/kernels_bench --benchmark_filter=decoder
#include <torch/torch.h>

#include <chrono>
#include <limits>
#include <thread>

#include "google_benchmark.h"
#include "kernels/category_ops.h"
#include "kernels/dense_ops.h"
#include "kernels/frozen_ops.h"

namespace neo {
namespace {

namespace nnf = torch::nn::functional;

struct Layer {
  ConvSpec spec;
  ConvWeights weights;
};

Layer random_layer(const ConvSpec& spec) {
  const auto first = spec.transposed ? spec.in_channels : spec.out_channels;
  const auto second = spec.transposed ? spec.out_channels : spec.in_channels;
  return {spec,
          {torch::randn({first, second, spec.kernel, spec.kernel}) / std::sqrt(double(9 * spec.in_channels)),
           torch::zeros({spec.out_channels})}};
}

//   grid --> embed 16, conv --> 10x10x64 --> 5x5x128 --> 2x2x256 --> 32
const std::vector<Layer>& encoder() {
  static const std::vector<Layer> layers = {random_layer({.in_channels = 16,
                                                          .out_channels = 64,
                                                          .in_height = 10,
                                                          .in_width = 10,
                                                          .padding = 1,
                                                          .relu = true}),
                                            random_layer({.in_channels = 64,
                                                          .out_channels = 128,
                                                          .in_height = 10,
                                                          .in_width = 10,
                                                          .stride = 2,
                                                          .padding = 1,
                                                          .relu = true}),
                                            random_layer({.in_channels = 128,
                                                          .out_channels = 256,
                                                          .in_height = 5,
                                                          .in_width = 5,
                                                          .stride = 2,
                                                          .relu = true}),
                                            random_layer(ConvSpec::dense(1024, 32))};
  return layers;
}

//   32 --> 2x2x256 --> 5x5x128 --> 10x10x64 --> 10x10x9 logits
const std::vector<Layer>& decoder() {
  static const std::vector<Layer> layers = {
      random_layer(ConvSpec::dense(32, 1024)),
      random_layer({.in_channels = 256,
                    .out_channels = 128,
                    .in_height = 2,
                    .in_width = 2,
                    .stride = 2,
                    .transposed = true,
                    .relu = true}),
      random_layer({.in_channels = 128,
                    .out_channels = 64,
                    .in_height = 5,
                    .in_width = 5,
                    .stride = 2,
                    .padding = 1,
                    .output_padding = 1,
                    .transposed = true,
                    .relu = true}),
      random_layer({.in_channels = 64, .out_channels = 9, .in_height = 10, .in_width = 10, .padding = 1})};
  return layers;
}

FrozenStackPtr frozen(const std::vector<Layer>& model, size_t first = 0,
                      std::optional<CategoryConv> front = {}) {
  std::vector<ConvLayer> layers;
  for (size_t i = first; i < model.size(); ++i) layers.push_back(make_layer(model[i].spec, model[i].weights));
  return std::make_shared<FrozenStack>(std::move(layers), std::move(front));
}

// Channels first throughout, as one would write it with LibTorch.
torch::Tensor libtorch_forward(torch::Tensor x, const std::vector<Layer>& model) {
  for (const auto& [spec, weights] : model) {
    x = x.reshape({x.size(0), spec.in_channels, spec.in_height, spec.in_width});
    if (spec.kernel == 1)
      x = torch::linear(x.flatten(1), weights.weight.flatten(1), weights.bias);
    else if (spec.transposed)
      x = torch::conv_transpose2d(x, weights.weight, weights.bias, spec.stride, spec.padding,
                                  spec.output_padding);
    else
      x = torch::conv2d(x, weights.weight, weights.bias, spec.stride, spec.padding);
    if (spec.relu) x = torch::relu(x);
  }
  return x;
}

double multiply_adds(const std::vector<Layer>& model) {
  double sum = 0;
  for (const Layer& layer : model) sum += layer.spec.multiply_adds();
  return sum;
}

// Range 0 is the number of threads, range 1 the number of rows. On a shared machine the fastest iteration
// says more than the mean, so the rate is that of the fastest.
template <typename F>
void measure(benchmark::State& state, double operations, const F& f) {
  using Clock = std::chrono::steady_clock;
  torch::set_num_threads(static_cast<int>(state.range(0)));
  f();
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const auto start = Clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  state.counters["best_ms"] = best * 1e3;
  if (operations > 0) state.counters["best_GFLOP/s"] = operations * 1e-9 / best;
}

void matrix_product(benchmark::State& state) {
  const int64_t n = state.range(1);
  const auto a = torch::randn({n, n}), b = torch::randn({n, n});
  measure(state, 2.0 * double(n) * double(n) * double(n), [&] { benchmark::DoNotOptimize(torch::mm(a, b)); });
}

void encoder_libtorch(benchmark::State& state) {
  const torch::NoGradGuard no_gradient;
  const int64_t rows = state.range(1);
  const auto embedding = torch::randn({9, 16});
  const auto grids = torch::randint(0, 9, {rows, 10, 10}, torch::kLong);
  measure(state, 2 * multiply_adds(encoder()) * double(rows), [&] {
    benchmark::DoNotOptimize(
        libtorch_forward(torch::embedding(embedding, grids).permute({0, 3, 1, 2}), encoder()));
  });
}

void encoder_frozen(benchmark::State& state) {
  const int64_t rows = state.range(1);
  const auto stack = frozen(
      encoder(), 1, make_category_conv(encoder()[0].spec, torch::randn({9, 16}), encoder()[0].weights));
  const auto grids = torch::randint(0, 9, {rows, 10, 10}, torch::kByte);
  measure(state, 2 * multiply_adds(encoder()) * double(rows),
          [&] { benchmark::DoNotOptimize(frozen_forward_categories(grids, stack)); });
}

void decoder_libtorch(benchmark::State& state) {
  const torch::NoGradGuard no_gradient;
  const int64_t rows = state.range(1);
  const auto states = torch::randn({rows, 32});
  measure(state, 2 * multiply_adds(decoder()) * double(rows),
          [&] { benchmark::DoNotOptimize(libtorch_forward(states, decoder())); });
}

void decoder_frozen(benchmark::State& state) {
  const int64_t rows = state.range(1);
  const auto stack = frozen(decoder());
  const auto states = torch::randn({rows, 32});
  measure(state, 2 * multiply_adds(decoder()) * double(rows),
          [&] { benchmark::DoNotOptimize(frozen_forward(states, stack)); });
}

void decoder_gradient_libtorch(benchmark::State& state) {
  const int64_t rows = state.range(1);
  auto states = torch::randn({rows, 32}, torch::requires_grad());
  measure(state, 4 * multiply_adds(decoder()) * double(rows), [&] {
    libtorch_forward(states, decoder()).sum().backward();
    states.mutable_grad().reset();
  });
}

void decoder_gradient_frozen(benchmark::State& state) {
  const int64_t rows = state.range(1);
  const auto stack = frozen(decoder());
  auto states = torch::randn({rows, 32}, torch::requires_grad());
  measure(state, 4 * multiply_adds(decoder()) * double(rows), [&] {
    frozen_forward(states, stack).sum().backward();
    states.mutable_grad().reset();
  });
}

// The forward pass was recorded with the candidates; only the gradient is left to pay.
void decoder_gradient_replayed(benchmark::State& state) {
  const int64_t rows = state.range(1);
  const auto stack = frozen(decoder());
  auto states = torch::randn({rows, 32}, torch::requires_grad());
  const auto record = frozen_record(states, stack);
  measure(state, 2 * multiply_adds(decoder()) * double(rows), [&] {
    frozen_replay(states, record.y, record.bits, stack).sum().backward();
    states.mutable_grad().reset();
  });
}

//   64 --> 128, four times --> 16: GridWorld's `paper` programmer
torch::nn::Sequential mlp() {
  torch::nn::Sequential layers;
  for (int64_t in : {64, 128, 128, 128}) {
    layers->push_back(torch::nn::Linear(in, 128));
    layers->push_back(torch::nn::ReLU());
  }
  layers->push_back(torch::nn::Linear(128, 16));
  return layers;
}

template <typename F>
void measure_mlp(benchmark::State& state, bool gradient, const F& f) {
  auto layers = mlp();
  double products = 0;
  for (const auto& parameter : layers->parameters())
    products += parameter.dim() == 2 ? double(parameter.numel()) : 0;
  const auto x = torch::randn({state.range(1), 64}).requires_grad_();
  measure(state, 2 * (gradient ? 3 : 1) * products * double(state.range(1)), [&] {
    const auto y = f(x, layers);
    if (!gradient) return;
    auto leaves = layers->parameters();
    leaves.push_back(x);
    benchmark::DoNotOptimize(torch::autograd::grad({y}, leaves, {torch::ones_like(y)}));
  });
}

torch::Tensor sequential(const torch::Tensor& x, torch::nn::Sequential& layers) { return layers->forward(x); }

void mlp_libtorch(benchmark::State& state) { measure_mlp(state, false, sequential); }
void mlp_gradient_libtorch(benchmark::State& state) { measure_mlp(state, true, sequential); }
void mlp_dense(benchmark::State& state) {
  measure_mlp(state, false, [](const auto& x, const auto& layers) { return dense(x, layers); });
}
void mlp_gradient_dense(benchmark::State& state) {
  measure_mlp(state, true, [](const auto& x, const auto& layers) { return dense(x, layers); });
}

void score_libtorch(benchmark::State& state) {
  const torch::NoGradGuard no_gradient;
  const auto logits = torch::randn({state.range(1), 100, 9});
  const auto targets = torch::randint(0, 9, {state.range(1), 100}, torch::kLong);
  measure(state, 0, [&] {
    const auto each = nnf::cross_entropy(logits.view({-1, 9}), targets.view({-1}),
                                         nnf::CrossEntropyFuncOptions().reduction(torch::kNone));
    benchmark::DoNotOptimize(each.view({-1, 100}).mean(1));
    benchmark::DoNotOptimize(logits.argmax(-1).eq(targets).all(1));
  });
}

void score_fused(benchmark::State& state) {
  const auto logits = torch::randn({state.range(1), 100, 9});
  const auto targets = torch::randint(0, 9, {state.range(1), 100}, torch::kByte);
  measure(state, 0, [&] { benchmark::DoNotOptimize(category_scores(logits, targets, 9).loss); });
}

void score_gradient_libtorch(benchmark::State& state) {
  auto logits = torch::randn({state.range(1), 100, 9}, torch::requires_grad());
  const auto targets = torch::randint(0, 9, {state.range(1), 100}, torch::kLong);
  measure(state, 0, [&] {
    const auto each = nnf::cross_entropy(logits.view({-1, 9}), targets.view({-1}),
                                         nnf::CrossEntropyFuncOptions().reduction(torch::kNone));
    each.view({-1, 100}).mean(1).sum().backward();
    logits.mutable_grad().reset();
  });
}

void score_gradient_fused(benchmark::State& state) {
  auto logits = torch::randn({state.range(1), 100, 9}, torch::requires_grad());
  const auto targets = torch::randint(0, 9, {state.range(1), 100}, torch::kByte);
  measure(state, 0, [&] {
    category_scores(logits, targets, 9).loss.sum().backward();
    logits.mutable_grad().reset();
  });
}

void register_all() {
  const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  const auto add = [cores](const char* name, auto* function, std::vector<int64_t> sizes) {
    auto* item = benchmark::RegisterBenchmark(name, function);
    item->ArgNames({"threads", "rows"})
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
    for (int64_t threads : cores > 1 ? std::vector<int64_t>{1, cores} : std::vector<int64_t>{1})
      for (int64_t size : sizes) item->Args({threads, size});
  };
  add("matrix_product", matrix_product, {1024});
  add("encoder/libtorch", encoder_libtorch, {256});
  add("encoder/frozen", encoder_frozen, {1, 256, 1024});
  add("decoder/libtorch", decoder_libtorch, {256});
  add("decoder/frozen", decoder_frozen, {1, 256, 1024});
  add("decoder_gradient/libtorch", decoder_gradient_libtorch, {256});
  add("decoder_gradient/frozen", decoder_gradient_frozen, {256});
  add("decoder_gradient/replayed", decoder_gradient_replayed, {256});
  add("mlp/libtorch", mlp_libtorch, {256});
  add("mlp/dense", mlp_dense, {1, 256});
  add("mlp_gradient/libtorch", mlp_gradient_libtorch, {256});
  add("mlp_gradient/dense", mlp_gradient_dense, {256, 1664});
  add("score/libtorch", score_libtorch, {1024});
  add("score/fused", score_fused, {1024});
  add("score_gradient/libtorch", score_gradient_libtorch, {256});
  add("score_gradient/fused", score_gradient_fused, {256});
}

}  // namespace
}  // namespace neo

int main(int argc, char** argv) {
  neo::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
