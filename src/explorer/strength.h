#pragma once

#include <string>
#include <vector>

#include "serve/backend.h"

namespace neo {

// What a theory is worth to somebody who opens the explorer.
struct Strength {
  std::string benchmark;  // whose world it is a theory of; empty: a user's own data
  double alpha = 1;       // share of the short programs that it was shown
  double error = 0;       // of transfer, mean difference() from the truth
};

// In which order to list theories: worlds in the order in which they were given, and in each the strongest first. Of those
// that transfer about as well as the best, that is the one that was shown the least. A user's own stay as they are.
std::vector<size_t> strongest_first(const std::vector<Strength>& theories);

}  // namespace neo
