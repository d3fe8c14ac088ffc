#include "search/beam.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "observe/tensors.h"

namespace neo {
namespace {

// An observation some program leads to: the code that made it, and where from. Programs are read backwards.
struct Node {
  int64_t parent = -1, code = -1;
  float cost = 0;  // cheapest: of the way here
};

struct Best {
  int64_t node = -1, code = -1;  // the last code, tried on `node`; -1: nothing yet
  int64_t length = 0;
  float score = std::numeric_limits<float>::infinity();  // shortest: its loss; cheapest: all that it costs
  bool exact = false;
};

class Search {
 public:
  Search(HardExecutor& executor, const std::vector<int64_t>& codes, const torch::Tensor& x,
         const torch::Tensor& y, const BeamOptions& options)
      : executor_(executor),
        codes_(codes),
        options_(options),
        y_(y),
        frontier_(x.contiguous()),
        rivals_(options.shortest ? options.depth : 1),
        best_(static_cast<size_t>(x.size(0) * rivals_)),
        seen_(static_cast<size_t>(x.size(0))) {
    for (int64_t row = 0; row < x.size(0); ++row) {
      nodes_.push_back({});
      at_.push_back(row);
      owner_.push_back(row);
      best_of(row, 1) = {row, codes.front(), 1};  // if all losses are NaN, a program all the same
      remember(row, row_bytes(frontier_, row));
    }
    if (options.price.defined()) {
      const auto price = options.price.to(torch::kFloat).contiguous();
      price_.assign(price.data_ptr<float>(), price.data_ptr<float>() + price.numel());
      for (int64_t code : codes) least_price_ = std::min(least_price_, price_[static_cast<size_t>(code)]);
    }
  }

  BeamResult run() {
    for (depth_ = 1; depth_ <= options_.depth && !owner_.empty(); ++depth_) expand();
    return result();
  }

 private:
  float price(int64_t code) const { return price_.empty() ? 0.0f : price_[static_cast<size_t>(code)]; }

  // The best program of a pair; where the shortest wins, that of each length.
  Best& best_of(int64_t row, int64_t length) {
    return best_[static_cast<size_t>(row * rivals_ + (options_.shortest ? length - 1 : 0))];
  }

  // True if the pair has not met this observation before.
  bool remember(int64_t row, ObservationView observation) {
    auto& seen = seen_[static_cast<size_t>(row)];
    for (size_t i = 0; i < seen.size(); i += observation.size()) {
      if (std::memcmp(seen.data() + i, observation.data(), observation.size()) == 0) return false;
    }
    seen.insert(seen.end(), observation.begin(), observation.end());
    return true;
  }

  StepBatch next_steps() {
    const auto count = static_cast<int64_t>(owner_.size());
    const auto codes = static_cast<int64_t>(codes_.size());
    StepBatch m{frontier_,
                y_.index_select(0, torch::tensor(owner_, torch::kLong)),
                torch::arange(count).repeat_interleave(codes),
                torch::tensor(codes_, torch::kLong).repeat({count}),
                {}};
    if (options_.shortest) return m;
    // Nothing above the best program so far, even if all that follows came at the least price, can win.
    m.last = depth_ == options_.depth;
    m.limit = torch::empty({count * codes});
    auto* limit = m.limit.data_ptr<float>();
    const float rest = least_price_ * static_cast<float>(options_.depth - depth_);
    for (size_t i = 0; i < owner_.size(); ++i) {
      const float left =
          best_of(owner_[i], depth_).score - nodes_[static_cast<size_t>(at_[i])].cost - rest;
      for (int64_t code : codes_) *limit++ = left - price(code);
    }
    return m;
  }

  // One more code on every observation of every pair's beam.
  void expand() {
    const StepBatch tried = next_steps();
    calls_ += tried.source.size(0);
    const Reading reading = executor_.step(tried);
    std::vector<int64_t> kept, owner, at;
    for (size_t begin = 0; begin < owner_.size();) {
      size_t end = begin;
      while (end < owner_.size() && owner_[end] == owner_[begin]) ++end;
      const auto first = static_cast<int64_t>(begin * codes_.size());
      const auto last = static_cast<int64_t>(end * codes_.size());
      update_best(owner_[begin], first, last, reading);
      if (depth_ < options_.depth) keep(owner_[begin], first, last, reading, kept, owner, at);
      begin = end;
    }
    frontier_ = reading.hard.index_select(0, torch::tensor(kept, torch::kLong));
    owner_ = std::move(owner);
    at_ = std::move(at);
  }

  int64_t node_of(int64_t candidate) const { return at_[static_cast<size_t>(candidate) / codes_.size()]; }
  int64_t code_of(int64_t candidate) const { return codes_[static_cast<size_t>(candidate) % codes_.size()]; }
  float cost_of(int64_t candidate) const {
    return nodes_[static_cast<size_t>(node_of(candidate))].cost + price(code_of(candidate));
  }

  void update_best(int64_t row, int64_t first, int64_t last, const Reading& reading) {
    const auto* loss = reading.loss.data_ptr<float>();
    const auto* exact = reading.exact.data_ptr<bool>();
    Best& best = best_of(row, depth_);
    for (int64_t i = first; i < last; ++i) {
      const float score = options_.shortest ? loss[i] : cost_of(i) + loss[i];
      const bool wins = options_.shortest && exact[i] != best.exact ? exact[i] : score < best.score;
      if (wins) best = {node_of(i), code_of(i), depth_, score, exact[i]};
    }
  }

  void keep(int64_t row, int64_t first, int64_t last, const Reading& reading, std::vector<int64_t>& kept,
            std::vector<int64_t>& owner, std::vector<int64_t>& at) {
    const Best& best = best_of(row, depth_);
    if (options_.shortest && explained(best.score, best.exact, options_.rule.tolerance)) return;
    const auto* self_loss = reading.self_loss.data_ptr<float>();
    const auto* exact = reading.exact.data_ptr<bool>();
    const auto hard = reading.hard.contiguous();
    const auto rank = [&](int64_t i) {
      return options_.shortest ? reading.loss.data_ptr<float>()[i] : cost_of(i) + self_loss[i];
    };
    const float bound = options_.shortest
                            ? std::numeric_limits<float>::infinity()
                            : best.score - least_price_ * static_cast<float>(options_.depth - depth_);
    std::vector<int64_t> order;
    for (int64_t i = first; i < last; ++i) {
      if (!exact[i] && rank(i) < bound) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
    int64_t room = options_.width;
    for (int64_t i : order) {
      if (room == 0) break;
      if (!remember(row, row_bytes(hard, i))) continue;
      --room;
      nodes_.push_back({node_of(i), code_of(i), cost_of(i) + self_loss[i]});
      at.push_back(static_cast<int64_t>(nodes_.size()) - 1);
      owner.push_back(row);
      kept.push_back(i);
    }
  }

  // [B] by the rule, from the nearest program of each length that was reached.
  torch::Tensor chosen_lengths(int64_t rows, BeamResult& found) const {
    found.losses = torch::empty({rows, rivals_});
    found.matches = torch::zeros({rows, rivals_}, torch::kBool);
    auto reached = torch::ones({rows}, torch::kLong);
    for (int64_t i = 0; i < rows * rivals_; ++i) {
      const Best& best = best_[static_cast<size_t>(i)];
      found.losses.data_ptr<float>()[i] = best.score;
      found.matches.data_ptr<bool>()[i] = best.exact;
      if (best.node >= 0) reached.data_ptr<int64_t>()[i / rivals_] = best.length;
    }
    return torch::min(choose_lengths(found.losses, found.matches, options_.rule), reached);
  }

  BeamResult result() {
    const auto rows = static_cast<int64_t>(seen_.size());
    BeamResult found{{torch::zeros({rows, options_.depth}, torch::kLong), torch::zeros({rows}, torch::kLong)},
                     torch::zeros({rows}, torch::kBool),
                     {},
                     {},
                     calls_ / std::max<int64_t>(rows, 1)};
    const auto lengths = options_.shortest ? chosen_lengths(rows, found) : torch::ones({rows}, torch::kLong);
    auto codes = found.programs.codes.accessor<int64_t, 2>();
    for (int64_t row = 0; row < rows; ++row) {
      const Best& best = best_of(row, lengths.data_ptr<int64_t>()[row]);
      found.programs.lengths.data_ptr<int64_t>()[row] = best.length;
      found.exact.data_ptr<bool>()[row] = best.exact;
      int64_t k = best.length;
      if (k > 0) codes[row][--k] = best.code;
      for (int64_t node = best.node; k > 0; node = nodes_[static_cast<size_t>(node)].parent)
        codes[row][--k] = nodes_[static_cast<size_t>(node)].code;
    }
    return found;
  }

  HardExecutor& executor_;
  const std::vector<int64_t>& codes_;
  const BeamOptions& options_;
  torch::Tensor y_;
  int64_t depth_ = 1, calls_ = 0;
  torch::Tensor frontier_;           // [F, N]: observations to expand, those of a pair in a row
  std::vector<int64_t> owner_, at_;  // [F] the pair of each, and its node
  std::vector<Node> nodes_;
  int64_t rivals_;                          // best programs per pair
  std::vector<Best> best_;                  // [B, rivals_]
  std::vector<std::vector<uint8_t>> seen_;  // by pair, one after another
  std::vector<float> price_;
  float least_price_ = 0;
};

}  // namespace

BeamResult beam_search(HardExecutor& executor, const std::vector<int64_t>& codes, const torch::Tensor& x,
                       const torch::Tensor& y, const BeamOptions& options) {
  torch::NoGradGuard no_grad;
  return Search(executor, codes, x.contiguous(), y, options).run();
}

}  // namespace neo
