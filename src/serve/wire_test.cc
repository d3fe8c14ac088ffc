#include "serve/wire.h"

#include <gtest/gtest.h>

#include "core/testing.h"

namespace neo {
namespace {
using testing::error_of;

TEST(Wire, DeepOrBrokenJsonIsRefused) {
  EXPECT_CONTAINS(error_of([] { parse_json(std::string(100'000, '[')); }), "nested deeper");
  for (const char* text : {"", "{", "{\"a\":}", "nul", "\"\xff\"", "{} {}"})
    EXPECT_CONTAINS(error_of([&] { parse_json(text); }), "not JSON") << text;
}

}  // namespace
}  // namespace neo
