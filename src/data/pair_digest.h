#pragma once

#include <span>
#include <string_view>

#include "core/hash.h"
#include "data/space.h"

namespace neo {

// SHA-256 of pairs in order, independent of how they are stored: for each pair x, y, the group (int32,
// little-endian), and the length and text of the program.
class PairDigest {
 public:
  void add(ObservationView x, ObservationView y, int32_t group, std::string_view program) {
    hash_.update(x);
    hash_.update(y);
    hash_.update_le(group);
    hash_.update_le(static_cast<uint32_t>(program.size()));
    hash_.update(program);
  }
  std::string finish_hex() { return hash_.finish_hex(); }

 private:
  Sha256 hash_;
};

}  // namespace neo
