#include "benchmark/imaging/pair_draws.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace neo {
namespace {

TEST(PairDraws, AreNumPysChoicesWithoutReplacement) {
  // np.random.seed(42); np.random.choice(50000, 2, replace=False), four times; then seed 43 and 10000.
  PairDraws train(42, 50'000);
  for (const ImagePair expected : {ImagePair{33553, 9427}, {44474, 2449}, {11212, 8613}, {17973, 15124}}) {
    EXPECT_EQ(train.next(), expected);
  }
  PairDraws test(43, 10'000);
  for (const ImagePair expected : {ImagePair{9415, 6377}, {6714, 7175}, {7961, 9973}, {1202, 4583}}) {
    EXPECT_EQ(test.next(), expected);
  }
}

TEST(PairDraws, AreTheFirstTwoOfFullPermutations) {
  for (const int64_t count : {2, 3, 31, 32, 33, 64, 65, 300, 1000, 4097, 32768, 65536}) {
    PairDraws draws(7, count);
    NumpyRandom numpy(7);
    for (int i = 0; i < (count > 2000 ? 10 : 500); ++i) {
      const auto order = numpy.permutation(count);
      const ImagePair expected{static_cast<int32_t>(order[0]), static_cast<int32_t>(order[1])};
      ASSERT_EQ(draws.next(), expected) << "of " << count << ", draw " << i;
    }
  }
}

}  // namespace
}  // namespace neo
