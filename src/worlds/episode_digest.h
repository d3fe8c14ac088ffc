#pragma once

#include <string>

#include "core/hash.h"
#include "worlds/episode_file.h"

namespace neo {

// SHA-256 over the episodes of a split in order, the same whatever file layout they came from.
//   GridWorld:  int32 LE grids (support x, support y, query x), int64 LE query y, the release's `transitions`
//               text, "\n".   Arithmetic: int64 LE in0, out0, in1, out1.   Imaging: the four uint8 images.
class EpisodeDigest {
 public:
  explicit EpisodeDigest(const World& world) : world_(world) {}
  void add(const Episode& episode);
  std::string finish_hex() { return hash_.finish_hex(); }

 private:
  const World& world_;
  Sha256 hash_;
  std::vector<uint8_t> scratch_;
};

// How the release writes a program: "[['move_down', 'move_right'], []]" in GridWorld, "[['hue_plus']]" in
// Imaging, "*2,*3" in Arithmetic.
std::string release_program_text(const World& world, const Program& program);
Program parse_release_program(const World& world, std::string_view text);  // throws Error

int64_t digits_to_number(ObservationView digits);
Observation number_to_digits(int64_t number);  // six digits; throws Error outside 0..999,999

}  // namespace neo
