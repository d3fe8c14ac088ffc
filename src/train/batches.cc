#include "train/batches.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/error.h"

namespace neo {
namespace {

// What is never torn apart: the rows of each group, or every row by itself.
std::vector<std::vector<int64_t>> units_of(const Pairs& pairs, bool grouped) {
  std::vector<std::vector<int64_t>> units;
  std::map<int32_t, size_t> unit_of;
  for (int64_t row = 0; row < pairs.size(); ++row) {
    const int32_t group = grouped ? pairs.group[static_cast<size_t>(row)] : -1;
    const auto [entry, is_new] = unit_of.try_emplace(group, units.size());
    if (group < 0 || is_new) {
      units.push_back({row});
    } else {
      units[entry->second].push_back(row);
    }
  }
  return units;
}

}  // namespace

BatchStream::BatchStream(Pairs pairs, const BatchOptions& options, FreshPairs fresh)
    : pairs_(std::move(pairs)), options_(options), random_(options.seed, "batches"), fresh_(std::move(fresh)) {
  if (options.grouped && pairs_.group.empty())
    fail_usage("training with groups needs pairs that have them; leave out --grouped, or import with --group");
  start_pass();
  prepare_next();
}

void BatchStream::start_pass() {
  pass_start_ = random_.state();
  taken_ = 0;
  batch_start_ = {0};
  if (!options_.grouped) {
    order_.resize(static_cast<size_t>(pairs_.size()));
    std::iota(order_.begin(), order_.end(), int64_t{0});
    random_.shuffle(order_);
    for (int64_t at = options_.size; at < pairs_.size(); at += options_.size) batch_start_.push_back(at);
  } else {
    auto units = units_of(pairs_, true);
    random_.shuffle(units);
    order_.clear();
    for (const auto& unit : units) {
      const auto at = static_cast<int64_t>(order_.size());
      if (at - batch_start_.back() >= options_.size) batch_start_.push_back(at);
      order_.insert(order_.end(), unit.begin(), unit.end());
    }
  }
  batch_start_.push_back(pairs_.size());
}

void BatchStream::prepare_next() {
  if (fresh_) next_pairs_ = std::async(std::launch::async, fresh_, pass_ + 1);
}

void BatchStream::seek(const Position& position) {
  if (fresh_ && position.pass != pass_) {
    next_pairs_.wait();  // for the wrong pass
    pairs_ = fresh_(position.pass);
  }
  pass_ = position.pass;
  random_.set_state(position.pass_start);
  start_pass();
  taken_ = position.taken;
  prepare_next();
}

PairBatch BatchStream::next() {
  if (pass_is_over()) {
    ++pass_;
    if (fresh_) pairs_ = next_pairs_.get();
    start_pass();
    prepare_next();
  }
  const auto at = static_cast<size_t>(taken_);
  const int64_t begin = batch_start_[at], count = batch_start_[at + 1] - begin;
  const auto rows = torch::tensor(at::ArrayRef<int64_t>(order_.data() + begin, static_cast<size_t>(count)), torch::kLong);
  ++taken_;
  PairBatch batch{pairs_.x.index_select(0, rows), pairs_.y.index_select(0, rows)};
  if (options_.grouped) {
    batch.group = torch::empty({count}, torch::kLong);
    for (int64_t i = 0; i < count; ++i) {
      const int32_t group = pairs_.group[static_cast<size_t>(order_[static_cast<size_t>(begin + i)])];
      batch.group.data_ptr<int64_t>()[i] = group >= 0 ? group : -1 - i;  // without one, a pair is its own
    }
  }
  return batch;
}

}  // namespace neo
