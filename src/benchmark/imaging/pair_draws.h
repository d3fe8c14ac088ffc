#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace neo {

struct ImagePair {
  int32_t first, second;
  bool operator==(const ImagePair&) const = default;
};

// Draws what NumPy's legacy generator draws, seeded by `seed`, when asked again and again for
// choice(count, 2, replace=False). NumPy shuffles all `count` numbers for that and keeps two: 73,000 draws of
// MT19937 each for CIFAR's 50,000 training images. We make the same draws, but instead of moving the
// numbers follow the two kept places back through the swaps.
class PairDraws {
 public:
  PairDraws(uint32_t seed, int64_t count);  // 2 <= count <= 65,536
  ImagePair next();

 private:
  void refill(size_t needed);  // until words_ holds `needed`
  void draw_swaps();
  ImagePair trace_back() const;

  int64_t count_;
  std::array<uint32_t, 624> state_{};
  std::vector<uint16_t> words_;       // low halves of the draws; masked once a swap has used them
  size_t used_ = 0;                   // words of the last shuffle
  std::vector<uint16_t> block_step_;  // the shuffle's step at the start of each block of words
};

}  // namespace neo
