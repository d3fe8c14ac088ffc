#include "train/resets.h"

#include "core/error.h"
#include "model/weights.h"

namespace neo {
namespace {
constexpr double kShareDecay = 0.98;
constexpr double kSolvedDecay = 0.95;
}  // namespace

CodeUsage::CodeUsage(const ResetConfig& config, int64_t codes)
    : config_(config),
      shares_(static_cast<size_t>(codes), 1.0 / static_cast<double>(codes)),
      born_(static_cast<size_t>(codes), 0) {}

void CodeUsage::add(const std::vector<int64_t>& counts, double solved) {
  double total = 0;
  for (int64_t count : counts) total += static_cast<double>(count);
  for (size_t c = 0; c < shares_.size() && total > 0; ++c)
    shares_[c] = kShareDecay * shares_[c] + (1 - kShareDecay) * static_cast<double>(counts[c]) / total;
  solved_ = kSolvedDecay * solved_ + (1 - kSolvedDecay) * solved;
  done_ = done_ || solved_ > config_.until;
}

std::optional<int64_t> CodeUsage::to_reset(int64_t step) {
  if (config_.every == 0 || done_ || step < config_.start || step % config_.every != 0) return std::nullopt;
  std::optional<size_t> least;
  for (size_t c = 0; c < shares_.size(); ++c) {
    if (step - born_[c] >= config_.age && (!least || shares_[c] < shares_[*least])) least = c;
  }
  if (!least) return std::nullopt;
  born_[*least] = step;
  shares_[*least] = 1.0 / static_cast<double>(shares_.size());
  return static_cast<int64_t>(*least);
}

void CodeUsage::save(std::map<std::string, TensorData>& out) const {
  out["usage.shares"] = to_tensor_data(torch::tensor(shares_, torch::kDouble));
  out["usage.born"] = to_tensor_data(torch::tensor(born_, torch::kLong));
  out["usage.solved"] = to_tensor_data(torch::tensor({solved_, done_ ? 1.0 : 0.0}, torch::kDouble));
}

void CodeUsage::load(const std::map<std::string, TensorData>& in, const std::string& origin) {
  const auto find = [&](const char* name, int64_t size) {
    const auto found = in.find(name);
    if (found == in.end() || to_tensor(found->second).numel() != size)
      fail("{} lacks '{}'; it is no checkpoint of this run", origin, name);
    return to_tensor(found->second);
  };
  const auto codes = static_cast<int64_t>(shares_.size());
  const auto shares = find("usage.shares", codes);
  const auto born = find("usage.born", codes);
  const auto solved = find("usage.solved", 2);
  shares_.assign(shares.data_ptr<double>(), shares.data_ptr<double>() + codes);
  born_.assign(born.data_ptr<int64_t>(), born.data_ptr<int64_t>() + codes);
  solved_ = solved[0].item<double>();
  done_ = solved[1].item<double>() > 0;
}

}  // namespace neo
