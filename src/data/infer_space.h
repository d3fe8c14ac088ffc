#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/encoding.h"
#include "data/profile.h"

namespace neo {

// What the user specifies about the space; the rest is inferred.
struct SpaceWishes {
  std::optional<Layout> as;
  int64_t values = 0;  // how many there are; 0: as many as occur
};

// Decisions made on the way, and what looks wrong; one line each.
struct Remarks {
  std::vector<std::string> notes, warnings;
};

// Sees every observation once and infers the space of all. Stores no observations.
class SpaceInference {
 public:
  explicit SpaceInference(SpaceWishes wishes) : wishes_(wishes) {}
  // `side`: "x" or "y". An Error where a value is not finite or cannot be of one kind with the others.
  void add(const RawValue& value, const char* side);
  // An Error where no space holds them all, or not the one requested.
  Encoding finish(Remarks& remarks) const;

 private:
  SpaceWishes wishes_;
  std::string first_text_, first_array_;  // where they were found
  ArrayProfile arrays_;
  TextProfile texts_;
};

// The two halves of it.
Encoding infer_from_arrays(const ArrayProfile& seen, const SpaceWishes& wishes, Remarks& remarks);
Encoding infer_from_texts(const TextProfile& seen, const SpaceWishes& wishes, Remarks& remarks);

}  // namespace neo
