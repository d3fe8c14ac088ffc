#include "kernels/dense_pass.h"

#include <algorithm>

#include "kernels/conv_plan.h"
#include "kernels/dense_gradient.h"
#include "kernels/parallel.h"
#include "kernels/precision.h"
#include "kernels/relu_bits.h"

namespace neo {
namespace {

constexpr int64_t kRows = 96;  // whose activations stay in the first cache levels while all panels pass by
constexpr int64_t kTileRows = 12;  // that a tile takes, or twice what it does

// f(first row, rows), in parallel: pieces of equal size, as many for each thread.
template <typename F>
void each_chunk(int64_t rows, const F& f) {
  if (rows == 0) return;
  const int64_t threads = threads_here();
  const int64_t pieces = threads * ((rows + threads * kRows - 1) / (threads * kRows));
  const int64_t even = (rows + pieces - 1) / pieces;
  const int64_t size = (even + kTileRows - 1) / kTileRows * kTileRows;
  in_parallel((rows + size - 1) / size, [&](int64_t i) { f(i * size, std::min(size, rows - i * size)); });
}

// matrix [source, target] of any strides
ConvPlan packed(const torch::Tensor& matrix) {
  ConvPlan plan = dense_plan(matrix.data_ptr<float>(), {.source = matrix.size(0),
                                                        .target = matrix.size(1),
                                                        .down = matrix.stride(0),
                                                        .right = matrix.stride(1)});
  if (precision() == Precision::bf16) allow_rounding(plan);
  return plan;
}

ConvPlan packed(const DenseLayer& layer) {
  ConvPlan plan = packed(layer.weight.t());
  plan.bias.assign(static_cast<size_t>(panels_of(plan.target_channels) * kTileColumns), 0.0f);
  std::copy_n(layer.bias.data_ptr<float>(), plan.target_channels, plan.bias.begin());
  return plan;
}

// Where each row notes, layer after layer, which results of a ReLU were positive.
struct ReluBits {
  explicit ReluBits(const std::vector<DenseLayer>& layers) {
    for (const DenseLayer& layer : layers) {
      begin.push_back(stride);
      if (layer.relu) stride += panels_of(layer.weight.size(0));
    }
  }
  std::vector<int64_t> begin;
  int64_t stride = 0;
};

}  // namespace

DenseActivations dense_forward(const torch::Tensor& x, const std::vector<DenseLayer>& layers) {
  const ReluBits where(layers);
  const int64_t rows = x.size(0);
  DenseActivations out{{x}, torch::empty({rows, where.stride}, torch::kShort)};
  for (const DenseLayer& layer : layers) out.values.push_back(torch::empty({rows, layer.weight.size(0)}));
  std::vector<ConvPlan> plans(layers.size());
  in_parallel(static_cast<int64_t>(layers.size()),
              [&](int64_t i) { plans[static_cast<size_t>(i)] = packed(layers[static_cast<size_t>(i)]); });
  each_chunk(rows, [&](int64_t first, int64_t count) {
    uint16_t* bits = words_of(out.bits) + first * where.stride;
    for (size_t i = 0; i < layers.size(); ++i) {
      const bool relu = layers[i].relu;
      run_plan(plans[i], out.values[i].data_ptr<float>() + first * plans[i].source_size,
               out.values[i + 1].data_ptr<float>() + first * plans[i].target_size, count,
               {.relu = relu, .positive = relu ? bits + where.begin[i] : nullptr, .stride = where.stride});
    }
  });
  return out;
}

std::vector<torch::Tensor> dense_backward(const torch::Tensor& dy, const std::vector<DenseLayer>& layers,
                                          const torch::Tensor& bits, bool of_input) {
  const ReluBits where(layers);
  const size_t last = layers.size(), stop = of_input ? 0 : 1;
  std::vector<torch::Tensor> out(last + 1);
  std::vector<ConvPlan> plans(last);
  out[last] = dy;
  for (size_t i = last; i-- > stop;) out[i] = torch::empty({dy.size(0), layers[i].weight.size(1)});
  in_parallel(static_cast<int64_t>(last - stop), [&](int64_t i) {
    const size_t layer = stop + static_cast<size_t>(i);
    plans[layer] = packed(layers[layer].weight);
  });
  each_chunk(dy.size(0), [&](int64_t first, int64_t count) {
    const uint16_t* words = words_of(bits) + first * where.stride;
    for (size_t i = last; i-- > stop;) {
      const bool behind_relu = i > 0 && layers[i - 1].relu;
      run_plan(plans[i], out[i + 1].data_ptr<float>() + first * plans[i].source_size,
               out[i].data_ptr<float>() + first * plans[i].target_size, count,
               {.keep = behind_relu ? words + where.begin[i - 1] : nullptr, .stride = where.stride});
    }
  });
  return out;
}

std::vector<torch::Tensor> dense_parameter_gradients(const std::vector<torch::Tensor>& values,
                                                     const std::vector<torch::Tensor>& gradients) {
  struct Task {
    size_t layer;
    int64_t column;  // of the weights, where a tile begins; -1: the biases
  };
  std::vector<torch::Tensor> out;
  std::vector<Task> tasks;
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    const int64_t in = values[i].size(1), width = values[i + 1].size(1);
    out.push_back(torch::empty({width, in}));
    out.push_back(torch::empty({width}));
    tasks.push_back({i, -1});
    for (int64_t column = 0; column < in; column += tile_columns()) tasks.push_back({i, column});
  }
  in_parallel(static_cast<int64_t>(tasks.size()), [&](int64_t t) {
    const auto [layer, column] = tasks[static_cast<size_t>(t)];
    const auto& dy = gradients[layer + 1];
    const DenseGradient of{dy.data_ptr<float>(), values[layer].data_ptr<float>(), dy.size(0), dy.size(1),
                           values[layer].size(1)};
    if (column >= 0) return weight_gradient_tile(of, column, out[2 * layer].data_ptr<float>());
    bias_gradient(of, out[2 * layer + 1].data_ptr<float>());
  });
  return out;
}

}  // namespace neo
