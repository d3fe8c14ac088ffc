#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/instructions.h"
#include "kernels/precision.h"

namespace neo {

// A test of this suite runs once on every form that the machine has.
class EveryForm : public testing::TestWithParam<Instructions> {
 private:
  ScopedInstructions form_{GetParam()};
};

// What products of a test are computed with.
struct Rounding {
  Instructions form;
  Precision precision;
};
inline std::vector<Rounding> every_rounding() {
  std::vector<Rounding> list;
  for (const Instructions form : available_instructions()) list.push_back({form, Precision::float32});
  if (has_bf16()) list.push_back({Instructions::avx512, Precision::bf16});
  return list;
}

// A test of this suite runs once on every form, and once more with products rounded to bfloat16 where the machine can.
class EveryPrecision : public testing::TestWithParam<Rounding> {
 private:
  ScopedInstructions form_{GetParam().form};
  ScopedPrecision precision_{GetParam().precision};
};
#define NEO_ON_EVERY_PRECISION(suite)                                                                 \
  INSTANTIATE_TEST_SUITE_P(Kernels, suite, testing::ValuesIn(::neo::every_rounding()), [](const auto& with) { \
    return std::string(::neo::name_of(with.param.form)) +                                             \
           (with.param.precision == ::neo::Precision::bf16 ? "_bf16" : "");                           \
  })

#define NEO_ON_EVERY_FORM(suite)                                                             \
  INSTANTIATE_TEST_SUITE_P(Kernels, suite, testing::ValuesIn(::neo::available_instructions()), \
                           [](const auto& with) { return std::string(::neo::name_of(with.param)); })

}  // namespace neo
