#include "model/quantizer.h"

#include "core/error.h"

namespace neo {
namespace F = torch::nn::functional;
namespace {
constexpr double kSizeEpsilon = 1e-5;
constexpr double kFar = 1e6;                // squared distance to a retired code

torch::Tensor unit(const torch::Tensor& x) { return F::normalize(x, F::NormalizeFuncOptions().dim(-1)); }

// Both sides have unit length, so |a - e|^2 = 2 - 2 a.e: [B, A], [Z, A], [Z] -> [B, Z]
torch::Tensor squared_distances(const torch::Tensor& actions, const torch::Tensor& codes,
                                const torch::Tensor& active) {
  return 2.0 - 2.0 * actions.matmul(codes.t()) + kFar * (1 - active.to(torch::kFloat));
}

torch::Tensor entropy(const torch::Tensor& p) { return -(p * (p + 1e-9).log()).sum(-1); }
}  // namespace

QuantizerImpl::QuantizerImpl(const QuantizerConfig& config) : config_(config) {
  if (config.codebook != "gradient" && config.codebook != "ema") {
    fail_usage("model.quantizer.codebook is '{}'; one of: gradient, ema", config.codebook);
  }
  if (config.commit != "call" && config.commit != "step") {
    fail_usage("model.quantizer.commit is '{}'; one of: call, step", config.commit);
  }
  const double bound = 1.0 / static_cast<double>(config.codes);
  auto initial = torch::empty({config.codes, config.width}).uniform_(-bound, bound);
  if (config.initial == "orthogonal") {
    if (config.width < config.codes)
      fail_usage("model.quantizer.width is {}; {} orthogonal codes need as many", config.width, config.codes);
    initial = std::get<0>(torch::linalg_qr(torch::randn({config.width, config.codes}))).t().contiguous();
  } else if (config.initial != "uniform") {
    fail_usage("model.quantizer.initial is '{}'; one of: uniform, orthogonal", config.initial);
  }
  if (is_ema()) {
    codebook_ = register_buffer("codebook", initial);
    sizes_ = register_buffer("sizes", torch::zeros({config.codes}));
    sums_ = register_buffer("sums", initial.clone());
  } else {
    codebook_ = register_parameter("codebook", initial);
  }
  active_ = register_buffer("active", torch::ones({config.codes}, torch::kByte));
}

torch::Tensor QuantizerImpl::distances(const torch::Tensor& actions, bool learn_codes) {
  return squared_distances(unit(actions), unit(learn_codes ? codebook_ : codebook_.detach()), active_);
}

torch::Tensor QuantizerImpl::vectors(const torch::Tensor& codes) {
  return unit(codebook_).index_select(/*dim=*/0, codes);
}

Latent QuantizerImpl::forward(const torch::Tensor& actions, const torch::Tensor& uniforms,
                              double temperature) {
  TORCH_CHECK(actions.dim() == 2 && actions.size(1) == config_.width, "actions must be [B, ", config_.width,
              "]");
  const auto a = unit(actions);
  auto codes = unit(pending_ ? pending_->codebook : codebook_);
  const auto distance = squared_distances(a, codes, active_);
  Latent out;
  {
    torch::NoGradGuard no_grad;
    if (uniforms.defined()) {
      const auto cumulative = torch::softmax(-distance / temperature, -1).cumsum(-1);
      out.codes = (cumulative < uniforms.unsqueeze(-1)).sum(-1).clamp_max(config_.codes - 1);
    } else {
      out.codes = distance.argmin(-1);
    }
    if (is_ema() && is_training()) {
      accumulate(a, out.codes);
      if (config_.commit == "call") {
        average();
        codes = unit(pending_->codebook);
      }
    }
  }
  const auto e = codes.index_select(/*dim=*/0, out.codes);
  out.loss = config_.commitment * (a - e.detach()).square().mean(-1);
  if (!is_ema()) out.loss = out.loss + (e - a.detach()).square().mean(-1);
  if (config_.entropy > 0) {
    const auto p = torch::softmax(-distance, -1);
    out.loss = out.loss + config_.entropy * (entropy(p) - entropy(p.mean(0)));
  }
  if (config_.orthogonality > 0 && !is_ema()) {
    const auto cosines = unit(codebook_).matmul(unit(codebook_).t()) - torch::eye(config_.codes);
    out.loss = out.loss + config_.orthogonality * cosines.square().mean();
  }
  out.vectors = a + (e - a).detach();
  return out;
}

torch::Tensor QuantizerImpl::draw_noise(RngStream& random, int64_t rows) const {
  auto uniforms = torch::empty({rows}, torch::kFloat);
  auto* u = uniforms.data_ptr<float>();
  for (int64_t i = 0; i < rows; ++i) u[i] = static_cast<float>(random.uniform());
  return uniforms;
}

void QuantizerImpl::accumulate(const torch::Tensor& actions, const torch::Tensor& codes) {
  if (!pending_) {
    pending_ = Averages{codebook_.clone(), sizes_.clone(), sums_.clone(), torch::zeros({config_.codes}),
                        torch::zeros({config_.codes, config_.width})};
  }
  const auto assigned = torch::one_hot(codes, config_.codes).to(torch::kFloat);
  pending_->new_sizes += assigned.sum(0);
  pending_->new_sums += assigned.t().matmul(actions.detach());
}

void QuantizerImpl::commit() {
  if (!pending_) return;
  torch::NoGradGuard no_grad;
  if (config_.commit == "step") average();
  codebook_.copy_(pending_->codebook);
  sizes_.copy_(pending_->sizes);
  sums_.copy_(pending_->sums);
  pending_.reset();
}

void QuantizerImpl::average() {
  torch::NoGradGuard no_grad;
  auto& [codebook, sizes, sums, new_sizes, new_sums] = *pending_;
  sizes.mul_(config_.decay).add_(new_sizes, 1 - config_.decay);
  sums.mul_(config_.decay).add_(new_sums, 1 - config_.decay);
  const auto total = sizes.sum();
  const auto smoothed =
      (sizes + kSizeEpsilon) / (total + static_cast<double>(config_.codes) * kSizeEpsilon) * total;
  codebook.copy_(sums / smoothed.unsqueeze(1));
  if (config_.orthogonality > 0) {
    // No gradient reaches averaged codes, so the penalty moves them here; the sums follow, or the next
    // average would undo it.
    torch::AutoGradMode with_grad(true);
    const auto codes = codebook.detach().clone().requires_grad_(true);
    const auto cosines = unit(codes).matmul(unit(codes).t()) - torch::eye(config_.codes);
    const auto gradient = torch::autograd::grad({cosines.square().mean()}, {codes})[0];
    codebook.sub_(gradient, config_.orthogonality_rate * config_.orthogonality);
    sums.copy_(codebook * smoothed.unsqueeze(1));
  }
  new_sizes.zero_();
  new_sums.zero_();
}

void QuantizerImpl::retire(const std::vector<int64_t>& codes) {
  for (int64_t code : codes) active_[code] = 0;
}

std::vector<int64_t> QuantizerImpl::active() const {
  std::vector<int64_t> codes;
  for (int64_t code = 0; code < config_.codes; ++code) {
    if (active_.data_ptr<uint8_t>()[code]) codes.push_back(code);
  }
  return codes;
}

void QuantizerImpl::reset_code(int64_t code, const torch::Tensor& vector) {
  torch::NoGradGuard no_grad;
  codebook_[code].copy_(unit(vector));
  if (is_ema()) {
    sizes_[code] = 1.0;
    sums_[code].copy_(unit(vector));
  }
}

}  // namespace neo
