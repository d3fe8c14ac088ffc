#pragma once

#include <gtest/gtest.h>

#include "kernels/instructions.h"

namespace neo {

// A test of this suite runs once on every form that the machine has.
class EveryForm : public testing::TestWithParam<Instructions> {
 private:
  ScopedInstructions form_{GetParam()};
};

#define NEO_ON_EVERY_FORM(suite)                                                             \
  INSTANTIATE_TEST_SUITE_P(Kernels, suite, testing::ValuesIn(::neo::available_instructions()), \
                           [](const auto& with) { return std::string(::neo::name_of(with.param)); })

}  // namespace neo
