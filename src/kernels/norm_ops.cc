#include "kernels/norm_ops.h"

#include "kernels/norm.h"

namespace neo {
namespace {
namespace autograd = torch::autograd;

NormTask task_of(const torch::Tensor& normal, const torch::Tensor& scale, const torch::Tensor& gain) {
  return {.rows = normal.size(0),
          .width = normal.size(1),
          .gain = gain.data_ptr<float>(),
          .normal = normal.data_ptr<float>(),
          .scale = scale.data_ptr<float>()};
}

struct AddAndNorm : autograd::Function<AddAndNorm> {
  static torch::Tensor forward(autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& change, const torch::Tensor& gain, const torch::Tensor& offset,
                               double epsilon) {
    const auto a = x.contiguous(), b = change.contiguous();
    const auto normal = torch::empty({a.numel() / a.size(-1), a.size(-1)}), scale = torch::empty({normal.size(0)});
    auto out = torch::empty(a.sizes());
    NormTask task = task_of(normal, scale, gain);
    task.a = a.data_ptr<float>();
    task.b = b.data_ptr<float>();
    task.repeat = a.numel() / b.numel();
    context->saved_data["repeats"] = task.repeat > 1;
    task.offset = offset.data_ptr<float>();
    task.epsilon = static_cast<float>(epsilon);
    neo::add_and_norm(task, out.data_ptr<float>());
    context->save_for_backward({normal, scale, gain});
    return out;
  }

  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const auto dy = upstream[0].contiguous();
    const auto sum = torch::empty(dy.sizes()), gain = torch::empty_like(saved[2]), offset = torch::empty_like(saved[2]);
    add_and_norm_backward(task_of(saved[0], saved[1], saved[2]), dy.data_ptr<float>(), sum.data_ptr<float>(),
                          gain.data_ptr<float>(), offset.data_ptr<float>());
    const auto change = context->saved_data["repeats"].toBool() ? sum.sum(1, /*keepdim=*/true) : sum;
    return {sum, change, gain, offset, {}};
  }
};

// [B, 1, D] beside [B, T, D]
bool is_of_all_tokens(const torch::Tensor& change, const torch::Tensor& x) {
  return x.dim() == 3 && change.dim() == 3 && change.size(0) == x.size(0) && change.size(1) == 1 &&
         change.size(2) == x.size(2);
}

}  // namespace

torch::Tensor add_and_norm(const torch::Tensor& x, const torch::Tensor& change, const torch::nn::LayerNorm& norm) {
  const auto& options = norm->options;
  const bool fits = x.is_cpu() && x.scalar_type() == torch::kFloat && x.numel() > 0 && x.size(-1) % kNormLanes == 0 &&
                    (x.sizes() == change.sizes() || is_of_all_tokens(change, x));
  if (!fits)
    return torch::layer_norm(x + change, options.normalized_shape(), norm->weight, norm->bias, options.eps());
  return AddAndNorm::apply(x, change, norm->weight, norm->bias, options.eps());
}

}  // namespace neo
