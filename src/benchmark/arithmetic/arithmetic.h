#pragma once

#include "benchmark/benchmark.h"

namespace neo {

// Six-digit numbers; a primitive multiplies by a small prime.
const Benchmark& arithmetic();

constexpr int64_t kFactors[] = {2, 3, 5, 7};  // of the primitives, by index
constexpr int64_t kLargestNumber = 999999;

int64_t digits_to_number(ObservationView digits);
Observation number_to_digits(int64_t number);  // six digits; throws Error outside 0..kLargestNumber

}  // namespace neo
