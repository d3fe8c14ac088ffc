#pragma once

#include <vector>

#include "benchmark/benchmark.h"

namespace neo::internal {
std::vector<const Benchmark*>& listed_benchmarks();  // what benchmarks() shows
}  // namespace neo::internal

// For tests only.
namespace neo::testing {

// Lists one more benchmark while it lives. Not while other threads look at the list.
class ScopedBenchmark {
 public:
  explicit ScopedBenchmark(const Benchmark& benchmark) {
    internal::listed_benchmarks().push_back(&benchmark);
  }
  ~ScopedBenchmark() { internal::listed_benchmarks().pop_back(); }
  ScopedBenchmark(const ScopedBenchmark&) = delete;
  ScopedBenchmark& operator=(const ScopedBenchmark&) = delete;
};

}  // namespace neo::testing
