#pragma once

#include "observe/pairs.h"

namespace neo {

// Pairs to evaluate on, as tensors: each support pair is explained, and where pairs come in groups its program is
// then tried on another pair of its group, the query.
struct Episodes {
  std::string name;  // of the split or file
  Space space;
  std::string benchmark;                   // whose split; empty: own data
  std::vector<std::string> programs;       // [E] names of the hidden primitives; empty: unknown. For scoring only
  torch::Tensor support_x, support_y;      // [E, N]
  torch::Tensor query_x, query_y;          // [E, N]; undefined where there are no groups
  int64_t size() const { return support_x.size(0); }
  bool has_queries() const { return query_x.defined(); }
  int64_t longest_program() const;  // of the hidden ones; 0: unknown
};

// Within a group the first pair supports the second, the third the fourth, ...; a leftover pair is dropped.
// Without groups every pair is a support pair of its own.
Episodes episodes_of(const Pairs& pairs);

Episodes narrow(const Episodes& episodes, int64_t begin, int64_t count);

// "up up left" -> 3
int64_t program_length(const std::string& program);

}  // namespace neo
