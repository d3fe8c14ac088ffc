#include "kernels/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace neo {
namespace {

TEST(Parallel, EveryIndexIsTakenOnce) {
  std::vector<int> taken(100);
  in_parallel(100, [&](int64_t i) { ++taken[static_cast<size_t>(i)]; });
  EXPECT_EQ(taken, std::vector<int>(100, 1));
}

TEST(Parallel, PiecesCoverTheRange) {
  for (const int64_t count : {0, 1, 7, 1000}) {
    std::vector<int> taken(static_cast<size_t>(count));
    in_pieces(count, /*worth=*/3, [&](int64_t begin, int64_t end) {
      for (; begin < end; ++begin) ++taken[static_cast<size_t>(begin)];
    });
    EXPECT_EQ(taken, std::vector<int>(static_cast<size_t>(count), 1));
  }
}

TEST(Parallel, AnExceptionReachesTheCaller) {
  EXPECT_THROW(in_parallel(100, [](int64_t i) { if (i == 50) throw std::runtime_error("fifty"); }),
               std::runtime_error);
}

#if defined(__SSE__)
TEST(Parallel, SubnormalNumbersCountAsZeroInsideAndNowhereElse) {
  const volatile float small = 1e-30f;
  std::vector<float> products(64);
  in_parallel(64, [&](int64_t i) { products[static_cast<size_t>(i)] = small * 1e-10f; });
  EXPECT_EQ(products, std::vector<float>(64, 0.0f));
  EXPECT_GT(small * 1e-10f, 0.0f);
}
#endif

}  // namespace
}  // namespace neo
