#pragma once

#include <string>
#include <vector>

#include "explain/theory.h"

namespace neo {

struct LengthRule {
  double lambda = 1.0;  // MDL coefficient
  double epsilon = -1;  // >= 0: the first loss at most this
  bool matches = true;  // whether an observation can be met exactly; pixels never are
};

struct ChosenLength {
  int64_t length = 1;
  std::string reason;
};

// The first loss at most epsilon, else the shortest exact program, else argmin lambda^k loss (Eq. 5).
// `lengths` must not be empty.
ChosenLength choose_length(const std::vector<LengthChoice>& lengths, const LengthRule& rule);

}  // namespace neo
