#include "train/pairs.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

// Episode i of pass p shows only the value 10 p + i.
PairSet marked(int64_t pass) {
  std::vector<Episode> episodes;
  for (uint8_t i = 0; i < 5; ++i) {
    const Observation o(6, static_cast<uint8_t>(10 * pass + i));
    episodes.push_back({o, o, o, o, {}});
  }
  return pairs_of(arithmetic(), 1.0, episodes);
}

std::vector<int64_t> firsts(const PairBatch& batch) {
  const auto column = batch.x.select(1, 0).to(torch::kLong).contiguous();
  return {column.data_ptr<int64_t>(), column.data_ptr<int64_t>() + column.size(0)};
}

TEST(BatchStream, APassShowsEveryEpisodeOnce) {
  BatchStream stream(marked(0), 2, 1);
  std::multiset<int64_t> seen;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(stream.pass_is_over());
    for (int64_t value : firsts(stream.next())) seen.insert(value);
  }
  EXPECT_TRUE(stream.pass_is_over());
  EXPECT_EQ(seen, (std::multiset<int64_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(BatchStream, FreshPairsReplaceThoseOfThePassBefore) {
  BatchStream stream(marked(0), 5, 1, marked);
  for (int64_t pass = 0; pass < 3; ++pass) {
    for (int64_t value : firsts(stream.next())) EXPECT_EQ(value / 10, pass);
  }
}

TEST(BatchStream, ASoughtPositionGoesOnWithTheSameBatches) {
  BatchStream stream(marked(0), 2, 1, marked);
  for (int i = 0; i < 7; ++i) stream.next();  // in the third pass
  const auto position = stream.position();
  BatchStream other(marked(0), 2, 1, marked);
  other.seek(position);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(firsts(stream.next()), firsts(other.next()));
}

}  // namespace
}  // namespace neo
