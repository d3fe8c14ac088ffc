#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discover/discover.h"
#include "model/neo.h"
#include "observe/pairs.h"

namespace neo {

// How well one structure of executors did on pairs that it was not learned from.
struct StructureTrial {
  std::string structure;     // "discovered", or "none": no theory at all
  int64_t codes = 0;
  double explained = 0;      // share of the pairs
  double bits = 0;           // per pair, the vocabulary's own included
};

// The pairs as plain numbers; none where they are not categories, or have more than 256 of them.
std::optional<PairTable> count_table(const Pairs& pairs);

// What counting finds in `pairs`, judged by `held_out`; none where it does not apply.
std::optional<Discovery> discover_operations(const Pairs& pairs, const Pairs& held_out, uint64_t seed);

// Settings of a training whose executor is the discovered one.
std::vector<std::string> settings_of(const Discovery& found, const Space& space);

// Gives the operations to a model that was made with those settings.
void set_operations(NeoImpl& model, const std::vector<Operation>& operations);

}  // namespace neo
