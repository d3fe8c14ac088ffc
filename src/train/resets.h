#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/safetensors.h"
#include "train/config.h"

namespace neo {

// How much each code is used, and which one should be re-initialised: while pairs are still unexplained, the
// least used code that is old enough (dead-code reset).
class CodeUsage {
 public:
  CodeUsage(const ResetConfig& config, int64_t codes);
  void add(const std::vector<int64_t>& counts, double solved);   // of a step
  std::optional<int64_t> to_reset(int64_t step);                 // the code to re-initialise after this step
  double solved() const { return solved_; }                      // running share of solved pairs
  const std::vector<double>& shares() const { return shares_; }  // running, of sum 1
  void save(std::map<std::string, TensorData>& out) const;
  void load(const std::map<std::string, TensorData>& in, const std::string& origin);

 private:
  ResetConfig config_;
  std::vector<double> shares_;
  std::vector<int64_t> born_;
  double solved_ = 0;  // running mean
  bool done_ = false;
};

}  // namespace neo
