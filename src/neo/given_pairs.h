#pragma once

#include <optional>
#include <string>
#include <vector>

#include "neo/theory.h"

namespace neo {

// A pair that a user names.
struct GivenPair {
  std::string name;
  Pair pair;
  std::optional<Pair> query;  // another pair of its group
  Policy policy;              // the theory's for this pair
};

// FILE:N or FILE:N,N,..., each with the `count` - 1 that follow, of the pairs held out where there are any: episodes
// where pairs come in groups, single pairs elsewhere. Empty: the first ID episode of a benchmark, the first example in
// the file of a theory of own data.
std::vector<GivenPair> given_pairs(const std::string& refs, int64_t count, const Theory& theory);

// The pairs that a theory's codes are tried on: those of `data`, or, where that is empty, of its benchmark's ID split, or
// the examples in its file.
Pairs inspected_pairs(const Theory& theory, const std::filesystem::path& data, const InspectionOptions& options);

}  // namespace neo
