#include "benchmark/arithmetic/arithmetic.h"
#include "benchmark/gridworld/gridworld.h"
#include "benchmark/imaging/imaging.h"
#include "benchmark/testing.h"
#include "core/error.h"
#include "core/suggestion.h"
#include "core/text.h"

namespace neo {

std::vector<const Benchmark*>& internal::listed_benchmarks() {
  static std::vector<const Benchmark*> list{
      &gridworld(),
      &arithmetic(),
      &imaging(),
  };
  return list;
}

const std::vector<const Benchmark*>& benchmarks() { return internal::listed_benchmarks(); }

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const Benchmark* benchmark : benchmarks()) names.emplace_back(benchmark->name());
  return names;
}

const Benchmark* find_benchmark(std::string_view name) {
  for (const Benchmark* benchmark : benchmarks()) {
    if (benchmark->name() == name) return benchmark;
  }
  return nullptr;
}

const Benchmark& benchmark_named(std::string_view name) {
  const Benchmark* benchmark = find_benchmark(name);
  if (!benchmark)
    fail_usage("unknown benchmark '{}'; the benchmarks are: {}{}", printable(name),
               fmt::join(benchmark_names(), ", "), did_you_mean(name, benchmark_names()));
  return *benchmark;
}

std::vector<std::string> fetchable_names() {
  std::vector<std::string> names;
  for (const Benchmark* benchmark : benchmarks()) {
    for (std::string& name : benchmark->fetchable()) names.push_back(std::move(name));
  }
  return names;
}

std::string fetch_data(const std::string& name, std::filesystem::path folder) {
  if (folder.empty()) folder = std::filesystem::path("data") / name;
  for (const Benchmark* benchmark : benchmarks()) {
    for (const std::string& known : benchmark->fetchable()) {
      if (known == name) return benchmark->fetch(name, folder);
    }
  }
  fail_usage("nothing called '{}' can be fetched; there is: {}", printable(name),
             fmt::join(fetchable_names(), ", "));
}

}  // namespace neo
