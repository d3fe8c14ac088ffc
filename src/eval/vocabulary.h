#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "eval/episodes.h"
#include "model/hard_executor.h"

namespace neo {

// What each code does, measured against the true primitives on inputs x where these apply. Empty where a
// theory has no codes.
struct Vocabulary {
  std::vector<std::string> primitives;
  std::vector<std::vector<double>>
      alignment;                  // [codes][primitives] share of inputs where the code acts as the primitive
  std::vector<double> no_op;      // [codes] share of inputs that the code leaves as they are
  std::vector<double> exactness;  // [primitives] share of inputs that some code maps as the primitive does
  double primitiveness = 0;       // mean of the above over all (input, primitive) pairs (App. C.2.2)
  double purity = 0;  // mean over codes that match anything of their best primitive's share of matches
  int64_t inputs = 0;
};
nlohmann::json to_json(const Vocabulary& vocabulary);

// Against a benchmark's primitives. inputs: [E, N]. Pass an executor to reuse its cache.
Vocabulary inspect_vocabulary(NeoImpl& model, const torch::Tensor& inputs, const Benchmark* benchmark,
                              HardExecutor* executor = nullptr);
// Own data with named programs: how many of the pairs whose program is a single primitive one code explains, by
// primitive (`exactness`) and in all (`primitiveness`), and how often each code does (`alignment`).
Vocabulary vocabulary_of_named_pairs(NeoImpl& model, const Episodes& episodes, HardExecutor* executor = nullptr);

}  // namespace neo
