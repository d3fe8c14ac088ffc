#include "serve/samples.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(Samples, OneProgramMakesBothPairs) {
  Samples samples;
  for (const std::string& name : world_names()) {
    const World& world = world_named(name);
    for (int64_t length = 1; length <= Samples::longest(world); ++length) {
      const Episode e = samples.draw(world, length, /*seed=*/7);
      EXPECT_EQ(static_cast<int64_t>(e.program.size()), length) << name;
      EXPECT_EQ(world.run(e.program, e.support_x), e.support_y);
      EXPECT_EQ(world.run(e.program, e.query_x), e.query_y);
      EXPECT_NE(e.support_x, e.query_x);
    }
  }
}

TEST(Samples, TheSeedDecides) {
  Samples samples;
  for (const std::string& name : world_names()) {
    const World& world = world_named(name);
    EXPECT_EQ(samples.draw(world, 2, 1).support_x, samples.draw(world, 2, 1).support_x);
    EXPECT_NE(samples.draw(world, 2, 1).support_x, samples.draw(world, 2, 2).support_x);
  }
}

}  // namespace
}  // namespace neo
