#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

// inputs: uint8 [E, N]. An executor that outlives the call need not start afresh.
Vocabulary inspect_vocabulary(NeoImpl& model, const torch::Tensor& inputs, HardExecutor* executor = nullptr);

}  // namespace neo
