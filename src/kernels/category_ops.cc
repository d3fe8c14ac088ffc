#include "kernels/category_ops.h"

#include "kernels/category_loss.h"

namespace neo {
namespace {

namespace autograd = torch::autograd;

// The task over contiguous tensors, still without results.
CategoryLoss task_on(const torch::Tensor& logits, const torch::Tensor& targets, int64_t categories) {
  TORCH_CHECK(logits.device().is_cpu() && logits.scalar_type() == torch::kFloat,
              "logits must be CPU float32");
  const int64_t per_row = c10::multiply_integers(logits.sizes().slice(1));  // known even of an empty batch
  TORCH_CHECK(logits.is_contiguous() && categories > 0 && per_row > 0 && per_row % categories == 0, "cannot split logits ",
              logits.sizes(), " into ", categories, " categories");
  CategoryLoss task{.logits = logits.data_ptr<float>(),
                    .rows = logits.size(0),
                    .positions = per_row / categories,
                    .categories = categories};
  if (targets.defined()) {
    TORCH_CHECK(targets.scalar_type() == torch::kByte && targets.is_contiguous() &&
                    targets.numel() == task.rows * task.positions,
                "expected one uint8 target per position, got ", targets.sizes());
    task.targets = targets.data_ptr<uint8_t>();
  }
  return task;
}

// The gradient of each row's loss falls out of the forward pass and only waits to be scaled.
struct CategoryScore : autograd::Function<CategoryScore> {
  static autograd::variable_list forward(autograd::AutogradContext* context, const torch::Tensor& logits,
                                         const torch::Tensor& targets, int64_t categories,
                                         bool differentiate) {
    const auto contiguous = logits.contiguous();
    auto task = task_on(contiguous, targets, categories);
    auto loss = torch::empty({task.rows}, torch::kFloat);
    auto own = torch::empty({task.rows}, torch::kFloat);
    auto best = torch::empty({task.rows, task.positions}, torch::kByte);
    auto wrong = torch::empty({task.rows}, torch::kInt);
    task.loss = loss.data_ptr<float>();
    task.own = own.data_ptr<float>();
    task.best = best.data_ptr<uint8_t>();
    task.wrong = wrong.data_ptr<int32_t>();
    torch::Tensor gradient;
    if (differentiate) {
      gradient = torch::empty_like(contiguous);
      task.gradient = gradient.data_ptr<float>();
    }
    TORCH_CHECK(category_loss(task), "a target is not among the ", categories, " categories");
    context->save_for_backward({gradient});
    context->mark_non_differentiable({own, best, wrong});
    return {loss, own, best, wrong};
  }

  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& upstream) {
    const auto gradient = context->get_saved_variables()[0];
    std::vector<int64_t> shape(static_cast<size_t>(gradient.dim()), 1);
    shape[0] = gradient.size(0);
    return {gradient * upstream[0].view(shape), {}, {}, {}};
  }
};

torch::Dtype target_type(int64_t categories) { return categories > 256 ? torch::kShort : torch::kByte; }

// [B, P, C], also of an empty batch.
torch::Tensor by_category(const torch::Tensor& logits, int64_t categories) {
  const int64_t per_row = c10::multiply_integers(logits.sizes().slice(1));
  return logits.reshape({logits.size(0), per_row / categories, categories});
}

// The kernel keeps all categories of eight positions in registers; with many categories a row fills vectors
// by itself and LibTorch is as good.
CategoryScores score_many(const torch::Tensor& logits, const torch::Tensor& targets, int64_t categories) {
  const auto p = torch::log_softmax(by_category(logits, categories), -1);
  const auto [most, best] = p.max(-1);
  const auto wanted = targets.to(torch::kLong);
  TORCH_CHECK(wanted.numel() == 0 || wanted.max().item<int64_t>() < categories, "a target is not among the ",
              categories, " categories");
  return {-p.gather(-1, wanted.unsqueeze(-1)).squeeze(-1).mean(-1), -most.detach().mean(-1),
          best.to(target_type(categories)), (best != wanted).sum(-1).to(torch::kInt)};
}

}  // namespace

CategoryScores category_scores(const torch::Tensor& logits, const torch::Tensor& targets,
                               int64_t categories) {
  if (categories > kMostCategories) return score_many(logits, targets, categories);
  const bool differentiate = torch::GradMode::is_enabled() && logits.requires_grad();
  const auto results = CategoryScore::apply(logits, targets.contiguous(), categories, differentiate);
  return {results[0], results[1], results[2], results[3]};
}

torch::Tensor category_argmax(const torch::Tensor& logits, int64_t categories) {
  if (categories > kMostCategories)
    return by_category(logits.detach(), categories).argmax(-1).to(target_type(categories));
  const auto contiguous = logits.detach().contiguous();
  auto task = task_on(contiguous, {}, categories);
  auto best = torch::empty({task.rows, task.positions}, torch::kByte);
  task.best = best.data_ptr<uint8_t>();
  category_loss(task);
  return best;
}

}  // namespace neo
