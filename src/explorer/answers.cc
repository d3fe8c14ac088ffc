#include "explorer/answers.h"

namespace neo {
namespace {
using nlohmann::json;

std::vector<int64_t> codes_of(const torch::Tensor& codes, int64_t length) {
  const auto plain = codes.contiguous();
  return {plain.data_ptr<int64_t>(), plain.data_ptr<int64_t>() + length};
}

}  // namespace

SearchTree::SearchTree(const View& view, const Observation& x, const Observation& y, double tolerance)
    : view_(view), tolerance_(tolerance) {
  nodes_.push_back({{"parent", -1},
                    {"code", -1},
                    {"depth", 0},
                    {"observation", view.text(x)},
                    {"exact", x == y},
                    {"log_probability", 0.0}});
  index_[0] = 0;
}

void SearchTree::add(const Expansion& e) {
  const auto [entry, is_new] = index_.try_emplace(e.node, nodes_.size());
  const bool is_met = explained(e.loss, e.exact, tolerance_);
  if (is_new) {
    nodes_.push_back({{"parent", index_.at(e.parent)},
                      {"code", e.code},
                      {"depth", e.depth},
                      {"observation", view_.text(e.observation)},
                      {"loss", e.loss},
                      {"exact", e.exact},
                      {"explained", is_met},
                      {"log_probability", e.log_probability}});
  }
  edges_.push_back({index_.at(e.parent), e.code, entry->second});
  found_ = found_ || is_met;
}

json SearchTree::to_json() const {
  return {{"nodes", nodes_}, {"edges", edges_}, {"found", found_}, {"calls", calls()}};
}

std::vector<int64_t> best_codes(const BestFirst& search) {
  const Candidates exact = search.programs(1);
  if (exact.lengths.numel() > 0) {
    const auto length = exact.lengths[0][0].item<int64_t>();
    if (length > 0) return codes_of(exact.codes[0][0], length);
  }
  const Programs closest = search.closest();
  return codes_of(closest.codes[0], closest.lengths[0].item<int64_t>());
}

}  // namespace neo
