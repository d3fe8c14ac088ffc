#include "kernels/frozen_ops.h"

#include "kernels/relu_bits.h"

namespace neo {
namespace {

namespace autograd = torch::autograd;

std::span<const float> values_of(const torch::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

torch::Tensor plain(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.detach().to(torch::kCPU, torch::kFloat).contiguous() : tensor;
}

torch::Tensor checked_input(const torch::Tensor& x, const FrozenStack& stack) {
  TORCH_CHECK(x.device().is_cpu() && x.scalar_type() == torch::kFloat,
              "a frozen stack runs on CPU float32 tensors");
  TORCH_CHECK(x.dim() >= 1 && x.numel() == x.size(0) * stack.in_size(), "a frozen stack expects ",
              stack.in_size(), " numbers per row, got ", x.sizes());
  return x.contiguous();
}

torch::Tensor run_backward(const torch::Tensor& dy, const torch::Tensor& bits, const FrozenStack& stack) {
  const auto gradient = dy.contiguous();
  auto dx = torch::empty({gradient.size(0), stack.in_size()}, gradient.options());
  stack.backward(gradient.data_ptr<float>(), gradient.size(0), words_of(bits), dx.data_ptr<float>());
  return dx;
}

// Keeps the stack alive from forward to backward.
struct StackHolder : torch::CustomClassHolder {
  explicit StackHolder(FrozenStackPtr held) : stack(std::move(held)) {}
  FrozenStackPtr stack;
};

// Both ways to reach y have the same gradient: `y` is what the stack makes of `x`, however it was obtained.
struct FrozenReplay : autograd::Function<FrozenReplay> {
  static torch::Tensor forward(autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& y, const torch::Tensor& bits,
                               const FrozenStackPtr& stack) {
    context->save_for_backward({bits});
    context->saved_data["shape"] = x.sizes().vec();
    context->saved_data["stack"] = c10::IValue::make_capsule(c10::make_intrusive<StackHolder>(stack));
    return y.detach();
  }

  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& dy) {
    const auto holder =
        c10::static_intrusive_pointer_cast<StackHolder>(context->saved_data["stack"].toCapsule());
    const auto dx = run_backward(dy[0], context->get_saved_variables()[0], *holder->stack);
    return {dx.view(context->saved_data["shape"].toIntVector()), {}, {}, {}};
  }
};

}  // namespace

ConvWeights fold_batch_norm(const ConvWeights& conv, const BatchNormState& norm, bool transposed) {
  const auto scale = norm.weight * (norm.variance + norm.epsilon).rsqrt();
  const auto bias = conv.bias.defined() ? conv.bias : torch::zeros_like(norm.mean);
  std::vector<int64_t> shape(static_cast<size_t>(conv.weight.dim()), 1);
  shape[transposed ? 1 : 0] = scale.size(0);
  return {conv.weight * scale.view(shape), (bias - norm.mean) * scale + norm.bias};
}

ConvLayer make_layer(const ConvSpec& spec, const ConvWeights& weights) {
  const auto weight = plain(weights.weight), bias = plain(weights.bias);
  return ConvLayer(spec, values_of(weight), values_of(bias));
}

CategoryConv make_category_conv(const ConvSpec& spec, const torch::Tensor& embedding,
                                const ConvWeights& weights) {
  const auto table = plain(embedding), weight = plain(weights.weight), bias = plain(weights.bias);
  return CategoryConv(spec, values_of(table), values_of(weight), values_of(bias));
}

torch::Tensor to_channels_last(const torch::Tensor& features, int64_t channels, int64_t height, int64_t width,
                               int64_t dim) {
  const auto order =
      torch::arange(channels * height * width).view({channels, height, width}).permute({1, 2, 0});
  return features.index_select(dim, order.reshape(-1).to(features.device()));
}

FrozenRecord frozen_record(const torch::Tensor& x, const FrozenStackPtr& stack) {
  const torch::NoGradGuard no_gradient;
  const auto input = checked_input(x, *stack);
  FrozenRecord record{torch::empty({x.size(0), stack->out_size()}, input.options()),
                      torch::empty({x.size(0), stack->bits_size()}, torch::kShort)};
  stack->forward(input.data_ptr<float>(), x.size(0), record.y.data_ptr<float>(), words_of(record.bits));
  return record;
}

torch::Tensor frozen_replay(const torch::Tensor& x, const torch::Tensor& y, const torch::Tensor& bits,
                            const FrozenStackPtr& stack) {
  TORCH_CHECK(y.size(0) == x.size(0) && bits.size(0) == x.size(0), "a replay needs one record per row");
  TORCH_CHECK(y.size(1) == stack->out_size() && bits.size(1) == stack->bits_size(),
              "the record is of another stack");
  return FrozenReplay::apply(x, y, bits.contiguous(), stack);
}

torch::Tensor frozen_forward(const torch::Tensor& x, const FrozenStackPtr& stack) {
  if (torch::GradMode::is_enabled() && x.requires_grad()) {
    const auto record = frozen_record(x, stack);
    return frozen_replay(x, record.y, record.bits, stack);
  }
  const auto input = checked_input(x, *stack);
  auto y = torch::empty({x.size(0), stack->out_size()}, input.options());
  stack->forward(input.data_ptr<float>(), x.size(0), y.data_ptr<float>(), nullptr);
  return y;
}

torch::Tensor frozen_forward_categories(const torch::Tensor& values, const FrozenStackPtr& stack) {
  TORCH_CHECK(stack->front().has_value(), "this frozen stack does not read categories");
  TORCH_CHECK(values.device().is_cpu() && values.scalar_type() == torch::kByte,
              "categories are CPU uint8 tensors");
  TORCH_CHECK(values.numel() == values.size(0) * stack->front()->in_size(), "a frozen stack expects ",
              stack->front()->in_size(), " categories per row, got ", values.sizes());
  const auto input = values.contiguous();
  auto y = torch::empty({values.size(0), stack->out_size()}, torch::kFloat);
  stack->forward_categories(input.data_ptr<uint8_t>(), values.size(0), y.data_ptr<float>());
  return y;
}

}  // namespace neo
