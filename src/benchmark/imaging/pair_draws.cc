#include "benchmark/imaging/pair_draws.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.h"
#include "core/simd_clones.h"

// The shuffle: for step = count-1 down to 1, draw words until one, masked to the bits of `step`, is <= step;
// call it j and swap the numbers at `step` and `j`.

namespace neo {
namespace {

constexpr size_t kN = 624;
constexpr size_t kM = 397;
constexpr size_t kBlock = 32;  // words looked at together

uint32_t twist(uint32_t upper, uint32_t lower) {
  const uint32_t y = (upper & 0x80000000U) | (lower & 0x7fffffffU);
  return (y >> 1) ^ (-(lower & 1U) & 0x9908b0dfU);
}

// One round of MT19937; writes the low halves of its 624 outputs.
NEO_SIMD_CLONES void next_round(uint32_t* s, uint16_t* out) {
  for (size_t i = 0; i < kN - kM; ++i) s[i] = s[i + kM] ^ twist(s[i], s[i + 1]);
  for (size_t i = kN - kM; i < kN - 1; ++i) s[i] = s[i + kM - kN] ^ twist(s[i], s[i + 1]);
  s[kN - 1] = s[kM - 1] ^ twist(s[kN - 1], s[0]);
  for (size_t i = 0; i < kN; ++i) {
    uint32_t y = s[i];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680U;
    y ^= (y << 15) & 0xefc60000U;
    out[i] = static_cast<uint16_t>(y ^ (y >> 18));
  }
}

uint16_t mask_of(uint32_t step) { return static_cast<uint16_t>((1U << std::bit_width(step)) - 1); }

// Takes whole blocks while it is beyond doubt which of their words are accepted: the step that word k is
// tested against has sunk by at most k since the block's start. Masks the words, notes each block's first
// step, returns the number of blocks taken.
NEO_SIMD_CLONES size_t take_clear_blocks(uint16_t* words, size_t blocks, uint32_t& step,
                                         uint16_t* block_step) {
  constexpr uint16_t kDoubt = 256;                            // counted in the upper byte of the same sum
  const uint32_t octave_end = std::bit_floor(step) + kBlock;  // below it the mask may change inside a block
  const uint16_t mask = mask_of(step);
  auto now = static_cast<uint16_t>(step);
  size_t taken = 0;
  for (; taken < blocks && now >= octave_end; ++taken, words += kBlock) {
    uint16_t sum = 0;
    for (uint16_t k = 0; k < kBlock; ++k) {
      const auto word = static_cast<uint16_t>(words[k] & mask);
      words[k] = word;
      const bool possible = word <= now;
      const bool certain = word <= static_cast<uint16_t>(now - k);
      sum = static_cast<uint16_t>(sum + (certain ? 1 : 0) + (possible != certain ? kDoubt : 0));
    }
    if (sum >= kDoubt) break;
    block_step[taken] = now;
    now = static_cast<uint16_t>(now - sum);
  }
  step = now;
  return taken;
}

// The last of the blocks that contains either value, or -1.
NEO_SIMD_CLONES std::ptrdiff_t last_block_with(const uint16_t* words, std::ptrdiff_t blocks, uint16_t a,
                                               uint16_t b) {
  for (std::ptrdiff_t block = blocks - 1; block >= 0; --block) {
    const uint16_t* word = words + block * static_cast<std::ptrdiff_t>(kBlock);
    uint16_t found = 0;
    for (size_t k = 0; k < kBlock; ++k) {
      found = static_cast<uint16_t>(found | (word[k] == a) | (word[k] == b));
    }
    if (found != 0) return block;
  }
  return -1;
}

}  // namespace

PairDraws::PairDraws(uint32_t seed, int64_t count) : count_(count) {
  NEO_CHECK_LE(2, count);
  NEO_CHECK_LE(count, 65536);
  state_[0] = seed;
  for (uint32_t i = 1; i < kN; ++i) state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

void PairDraws::refill(size_t needed) {
  while (words_.size() < needed) {
    words_.resize(words_.size() + kN);
    next_round(state_.data(), words_.data() + words_.size() - kN);
  }
}

ImagePair PairDraws::next() {
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(used_));
  draw_swaps();
  return trace_back();
}

void PairDraws::draw_swaps() {
  block_step_.clear();
  auto step = static_cast<uint32_t>(count_ - 1);
  size_t at = 0;
  while (step > 0) {
    refill(at + kBlock);
    const size_t blocks = (words_.size() - at) / kBlock;
    block_step_.resize(at / kBlock + blocks);
    const size_t taken = take_clear_blocks(&words_[at], blocks, step, &block_step_[at / kBlock]);
    at += taken * kBlock;
    if (taken == blocks) continue;
    block_step_[at / kBlock] = static_cast<uint16_t>(step);
    uint32_t mask = mask_of(step);
    for (const size_t end = at + kBlock; at < end && step > 0; ++at) {
      if (step <= mask / 2) mask /= 2;
      words_[at] &= static_cast<uint16_t>(mask);
      step -= words_[at] <= step;
    }
  }
  used_ = at;
}

// Backwards in time, step 1 first: a kept place p was `step` before the swap if that step's j is p. The word
// alone tells: p is below every earlier step, and what those steps rejected is above them.
ImagePair PairDraws::trace_back() const {
  const bool swapped = words_[used_ - 1] == 0;  // step 1 exchanges places 0 and 1, or leaves them
  uint16_t first = swapped ? 1 : 0;
  uint16_t second = swapped ? 0 : 1;
  const auto resolve = [&](size_t block, size_t count) {
    const uint16_t* words = &words_[block * kBlock];
    std::array<uint16_t, kBlock> steps;
    uint16_t step = block_step_[block];
    for (size_t k = 0; k < count; ++k) {
      steps[k] = step;
      step = static_cast<uint16_t>(step - (words[k] <= step));
    }
    for (size_t k = count; k-- > 0;) {
      if (words[k] == first) {
        first = steps[k];
      } else if (words[k] == second) {
        second = steps[k];
      }
    }
  };
  const size_t last = used_ - 1;
  resolve(last / kBlock, last % kBlock);
  auto block = static_cast<std::ptrdiff_t>(last / kBlock);
  while ((block = last_block_with(words_.data(), block, first, second)) >= 0) {
    resolve(static_cast<size_t>(block), kBlock);
  }
  return {first, second};
}

}  // namespace neo
