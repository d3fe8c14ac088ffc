#include "kernels/attention_ops.h"

#include "kernels/attention.h"

namespace neo {
namespace {
namespace autograd = torch::autograd;

AttentionTask task_on(const torch::Tensor& query, const torch::Tensor& memory,
                      const torch::Tensor& probability) {
  return {query.size(0),
          probability.size(1),
          query.size(1),
          memory.size(1),
          query.data_ptr<float>(),
          memory.data_ptr<float>(),
          probability.data_ptr<float>()};
}

struct SmallAttention : autograd::Function<SmallAttention> {
  static torch::Tensor forward(autograd::AutogradContext* context, const torch::Tensor& query,
                               const torch::Tensor& memory, int64_t heads) {
    const auto q = query.contiguous();
    const auto m = memory.contiguous();
    const auto probability = torch::empty({q.size(0), heads, q.size(1), m.size(1)});
    auto out = torch::empty_like(q);
    attend(task_on(q, m, probability), out.data_ptr<float>());
    context->save_for_backward({q, m, probability});
    return out;
  }
  static autograd::variable_list backward(autograd::AutogradContext* context,
                                          const autograd::variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const auto above = upstream[0].contiguous();
    auto query = torch::empty_like(saved[0]);
    auto memory = torch::empty_like(saved[1]);
    attend_backward(task_on(saved[0], saved[1], saved[2]), above.data_ptr<float>(), query.data_ptr<float>(),
                    memory.data_ptr<float>());
    return {query, memory, {}};
  }
};

torch::Tensor plain_attention(const torch::Tensor& query, const torch::Tensor& memory, int64_t heads) {
  const auto split = [heads](const torch::Tensor& t) {
    return t.view({t.size(0), t.size(1), heads, -1}).transpose(1, 2);
  };
  const auto parts = memory.chunk(2, -1);
  const auto q = split(query);
  const auto scores = torch::matmul(q, split(parts[0].contiguous()).transpose(2, 3)) /
                      std::sqrt(static_cast<double>(q.size(3)));
  return torch::matmul(torch::softmax(scores, -1), split(parts[1].contiguous())).transpose(1, 2).flatten(2);
}

}  // namespace

torch::Tensor attention(const torch::Tensor& query, const torch::Tensor& memory, int64_t heads) {
  TORCH_CHECK(query.dim() == 3 && memory.dim() == 3 && memory.size(2) == 2 * query.size(2) &&
                  query.size(2) % heads == 0,
              "attention of ", query.sizes(), " to ", memory.sizes(), " with ", heads, " heads");
  const bool fits = query.is_cpu() && query.scalar_type() == torch::kFloat &&
                    query.size(2) == heads * kHeadWidth && memory.size(1) <= kMostKeys;
  return fits ? SmallAttention::apply(query, memory, heads) : plain_attention(query, memory, heads);
}

}  // namespace neo
