#include "train/code_maps.h"

#include <algorithm>
#include <span>

#include "core/error.h"

namespace neo {

BilinearExecutor& linear_executor(NeoImpl& model) {
  auto* executor = dynamic_cast<BilinearExecutor*>(&model.executor());
  if (!executor)
    fail_usage("objective latent-wake-sleep needs model.executor.kind = \"bilinear\": a linear map for each code");
  return *executor;
}

CodeMaps::CodeMaps(NeoImpl& model, int64_t dimensions) : codes_(model.quantizer().active()) {
  const torch::NoGradGuard no_grad;
  const auto actions = model.quantizer().vectors(torch::tensor(codes_, torch::kLong));
  affine_ = linear_executor(model).affine(actions, dimensions);
}

ConvLayer CodeMaps::side_by_side() const {
  const int64_t width = dimensions();
  const auto whole = (affine_.map + torch::eye(width)).transpose(1, 2);  // [Z, to, from]
  return make_layer(ConvSpec::dense(width, affine_.offset.numel()), {whole, affine_.offset});
}

torch::Tensor CodeMaps::step(const torch::Tensor& states, const torch::Tensor& codes) const {
  const auto [sorted, order] = codes.sort();  // rows of one code side by side
  const std::span<const int64_t> code(sorted.data_ptr<int64_t>(), static_cast<size_t>(sorted.size(0)));
  const auto from = states.index_select(0, order).squeeze(1);
  auto change = torch::zeros_like(from);
  for (size_t z = 0; z < codes_.size(); ++z) {
    const auto same = std::ranges::equal_range(code, codes_[z]);
    const auto count = static_cast<int64_t>(same.size());
    if (count == 0) continue;
    const int64_t first = same.begin() - code.begin();
    auto part = change.narrow(0, first, count);
    const auto i = static_cast<int64_t>(z);
    torch::addmm_out(part, affine_.offset[i], from.narrow(0, first, count), affine_.map[i]);
  }
  return torch::empty_like(states).index_copy_(0, order, (from + change).unsqueeze(1));
}

}  // namespace neo
