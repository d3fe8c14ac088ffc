#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/safetensors.h"

namespace neo {

struct ResetConfig {
  int64_t every = 0;  // steps between resets; 0: never
  int64_t start = 200;
  int64_t age = 150;               // minimum age of a code before a reset
  double until = 0.998;            // resets end for good when this share of pairs is solved
  double hold_until_solved = 0.0;  // share of solved pairs until which the rate is held; 0: as scheduled
  int64_t patience = 3000;         // but for at most this many steps beyond its schedule
  double skip_when_solved = 2.0;   // share of solved pairs at which the rest of the held rate is skipped; above 1: never
  static void visit(auto& c, auto&& field) {
    field("every", c.every, "steps between resets; 0: never");
    field("start", c.start, "steps before the first");
    field("age", c.age, "minimum age of a code, in steps, before it is reset again");
    field("hold_until_solved", c.hold_until_solved,
          "share of solved pairs until which the learning rate is held; 0: as scheduled");
    field("patience", c.patience, "most steps that holding the rate may add");
    field("skip_when_solved", c.skip_when_solved,
          "share of solved pairs at which the rest of the held rate is skipped; above 1: never");
    field("until", c.until, "share of solved pairs at which resets end for good");
  }
};

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
