#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "data/pair_file.h"

namespace neo {

// Pairs in memory, as tensors. Independent of each other; `group` and `program` are for evaluation.
struct Pairs {
  std::string name;  // of the split, or of the file
  Space space;
  std::string benchmark;  // whose split it is; empty: own data
  double alpha = 1.0;
  std::string digest;
  torch::Tensor x, y;                // [P, N]
  std::vector<int32_t> group;        // [P]; empty: no groups
  std::vector<std::string> program;  // [P] names of the hidden primitives; empty: unknown
  int64_t size() const { return x.size(0); }
};

inline constexpr int64_t kAllPairs = std::numeric_limits<int64_t>::max();

// The one loader of pairs. At most `most` of them (where there are groups: of episodes, each a support pair and
// its query): the first ones, or, in a file that is sorted by program or does not name them, evenly spread ones.
Pairs load_pairs(const std::filesystem::path& path, Part part = Part::main, int64_t most = kAllPairs);
// The pairs of a file to evaluate on: those held out, or all if none were.
Pairs load_evaluation_pairs(const std::filesystem::path& path, int64_t most = kAllPairs);

Pairs to_pairs(const std::string& name, const Space& space, const std::vector<Pair>& pairs);
Pairs rows_of(const Pairs& pairs, const std::vector<int64_t>& rows);
// At most `most` of the pairs, evenly spread.
Pairs subsample(const Pairs& pairs, int64_t most);

// An Error where pairs cannot be given to a theory of `theory`.
void require_fit(const Pairs& pairs, const Space& theory);

}  // namespace neo
