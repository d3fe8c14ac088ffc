#include "kernels/attention_ops.h"

#include <gtest/gtest.h>

#include "kernels/testing.h"

namespace neo {
namespace {

// With a head width the kernel does not have, attention() is LibTorch's: pad to compare. Here spelt out
// instead.
torch::Tensor reference(const torch::Tensor& query, const torch::Tensor& memory, int64_t heads) {
  std::vector<torch::Tensor> out;
  const int64_t width = query.size(2) / heads;
  for (int64_t h = 0; h < heads; ++h) {
    const auto q = query.narrow(2, h * width, width);
    const auto k = memory.narrow(2, h * width, width);
    const auto v = memory.narrow(2, query.size(2) + h * width, width);
    out.push_back(
        torch::bmm(torch::softmax(torch::bmm(q, k.transpose(1, 2)) / std::sqrt(double(width)), -1), v));
  }
  return torch::cat(out, 2);
}

class AttentionOps : public EveryForm {};

TEST_P(AttentionOps, ValuesAndGradientsMatchTorch) {
  torch::manual_seed(3);
  for (const auto& [heads, width, queries, keys] : std::vector<std::array<int64_t, 4>>{
           {4, 16, 13, 13}, {2, 16, 6, 6}, {4, 16, 1, 13}, {2, 8, 5, 7}, {1, 16, 3, 20}}) {
    SCOPED_TRACE(testing::Message() << heads << " heads of " << width << ", " << queries << " x " << keys);
    auto query = torch::randn({9, queries, heads * width}).requires_grad_();
    auto memory = torch::randn({9, keys, 2 * heads * width}).requires_grad_();
    const auto out = attention(query, memory, heads);
    const auto expected = reference(query, memory, heads);
    EXPECT_TRUE(torch::allclose(out, expected, 1e-4, 1e-5));
    const auto upstream = torch::randn_like(out);
    const auto ours = torch::autograd::grad({out}, {query, memory}, {upstream});
    const auto theirs = torch::autograd::grad({expected}, {query, memory}, {upstream});
    for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-3, 1e-5));
  }
}

TEST_P(AttentionOps, LargeScoresDoNotOverflow) {
  const auto out = attention(torch::full({1, 2, 16}, 100.0), torch::full({1, 3, 32}, 100.0), 1);
  EXPECT_TRUE(torch::allclose(out, torch::full({1, 2, 16}, 100.0)));
}

NEO_ON_EVERY_FORM(AttentionOps);

}  // namespace
}  // namespace neo
