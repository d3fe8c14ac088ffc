#include "train/pairs.h"

#include <numeric>

#include "core/error.h"
#include "worlds/episode_digest.h"

namespace neo {

PairSet load_pairs(const std::filesystem::path& path) {
  EpisodeReader reader(path);
  const int64_t episodes = reader.info().episodes;
  if (episodes == 0) fail("{} holds no episodes", path.string());
  const int64_t size = reader.world().size();
  auto bytes = reader.observations(0, episodes);
  const auto all = torch::from_blob(bytes.data(), {2 * episodes, 2, size}, torch::kUInt8);
  return {&reader.world(), reader.info().alpha, reader.info().digest, all.select(1, 0).clone(),
          all.select(1, 1).clone()};
}

PairSet pairs_of(const World& world, double alpha, const std::vector<Episode>& episodes) {
  const auto rows = 2 * static_cast<int64_t>(episodes.size());
  PairSet pairs{&world, alpha, "", torch::empty({rows, world.size()}, torch::kUInt8),
                torch::empty({rows, world.size()}, torch::kUInt8)};
  EpisodeDigest digest(world);
  auto* x = pairs.x.data_ptr<uint8_t>();
  auto* y = pairs.y.data_ptr<uint8_t>();
  for (const Episode& e : episodes) {
    for (const auto& [from, to] :
         {std::pair(&e.support_x, &e.support_y), std::pair(&e.query_x, &e.query_y)}) {
      x = std::copy(from->begin(), from->end(), x);
      y = std::copy(to->begin(), to->end(), y);
    }
    digest.add(e);
  }
  pairs.digest = digest.finish_hex();
  return pairs;
}

BatchStream::BatchStream(PairSet pairs, int64_t episodes_per_batch, uint64_t seed, FreshPairs fresh)
    : pairs_(std::move(pairs)),
      per_batch_(episodes_per_batch),
      random_(seed, "batches"),
      fresh_(std::move(fresh)) {
  start_pass();
  prepare_next();
}

int64_t BatchStream::batches_per_pass() const { return (pairs_.episodes() + per_batch_ - 1) / per_batch_; }

void BatchStream::start_pass() {
  pass_start_ = random_.state();
  order_.resize(static_cast<size_t>(pairs_.episodes()));
  std::iota(order_.begin(), order_.end(), int64_t{0});
  random_.shuffle(order_);
  taken_ = 0;
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
  const int64_t begin = taken_ * per_batch_;
  const int64_t count = std::min(per_batch_, pairs_.episodes() - begin);
  auto rows = torch::empty({2 * count}, torch::kLong);
  auto* row = rows.data_ptr<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t episode = order_[static_cast<size_t>(begin + i)];
    row[2 * i] = 2 * episode;
    row[2 * i + 1] = 2 * episode + 1;
  }
  ++taken_;
  return {pairs_.x.index_select(0, rows), pairs_.y.index_select(0, rows)};
}

}  // namespace neo
