#pragma once

#include <vector>

#include "view/view.h"

namespace neo {

// On which share of the changes something holds.
template <typename Changes, typename Holds>
double share_of(const Changes& changes, const Holds& holds) {
  double held = 0;
  for (const auto& change : changes) held += holds(change) ? 1 : 0;
  return changes.empty() ? 0 : held / static_cast<double>(changes.size());
}

inline bool is_unchanged(const Change& change) { return change.first == change.second; }

}  // namespace neo
