#include "core/rng.h"

#include <algorithm>
#include <bit>

#include "core/hash.h"

namespace neo {
namespace {
constexpr int kN = 624;
constexpr int kM = 397;
}  // namespace

Mt19937 Mt19937::from_seed(uint32_t seed) {
  Mt19937 mt;
  mt.state_[0] = seed;
  for (uint32_t i = 1; i < kN; ++i) {
    mt.state_[i] = 1812433253u * (mt.state_[i - 1] ^ (mt.state_[i - 1] >> 30)) + i;
  }
  mt.position_ = kN;
  return mt;
}

Mt19937 Mt19937::from_array(std::span<const uint32_t> key) {
  Mt19937 mt = from_seed(19650218u);
  auto& s = mt.state_;
  uint32_t i = 1;
  uint32_t j = 0;
  for (size_t k = std::max<size_t>(kN, key.size()); k > 0; --k) {
    s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1664525u)) + key[j] + j;
    if (++i >= kN) {
      s[0] = s[kN - 1];
      i = 1;
    }
    if (++j >= key.size()) j = 0;
  }
  for (int k = kN - 1; k > 0; --k) {
    s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1566083941u)) - i;
    if (++i >= kN) {
      s[0] = s[kN - 1];
      i = 1;
    }
  }
  s[0] = 0x80000000u;
  return mt;
}

void Mt19937::refill() {
  const auto twist = [](uint32_t upper, uint32_t lower) {
    const uint32_t y = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return (y >> 1) ^ ((lower & 1u) ? 0x9908b0dfu : 0u);
  };
  for (int i = 0; i < kN - kM; ++i) state_[i] = state_[i + kM] ^ twist(state_[i], state_[i + 1]);
  for (int i = kN - kM; i < kN - 1; ++i) state_[i] = state_[i + kM - kN] ^ twist(state_[i], state_[i + 1]);
  state_[kN - 1] = state_[kM - 1] ^ twist(state_[kN - 1], state_[0]);
  position_ = 0;
}

uint32_t Mt19937::next32() {
  if (position_ >= kN) refill();
  uint32_t y = state_[position_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

double Mt19937::next_double() {
  const uint32_t a = next32() >> 5;
  const uint32_t b = next32() >> 6;
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

uint32_t PythonRandom::below(uint32_t n) {
  const int bits = std::bit_width(n);
  uint32_t r = mt_.next32() >> (32 - bits);
  while (r >= n) r = mt_.next32() >> (32 - bits);
  return r;
}

uint32_t NumpyRandom::interval(uint32_t max) {
  if (max == 0) return 0;
  const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << std::bit_width(max)) - 1);
  uint32_t value = mt_.next32() & mask;
  while (value > max) value = mt_.next32() & mask;
  return value;
}

RngStream::RngStream(uint64_t seed, std::string_view purpose) {
  // SHA-256 of (seed, purpose) gives 256 well-mixed bits: exactly one xoshiro state.
  Sha256 hash;
  hash.update_le(seed);
  hash.update(purpose);
  const auto bytes = hash.finish();
  for (size_t word = 0; word < state_.size(); ++word) {
    uint64_t value = 0;
    for (size_t byte = 0; byte < 8; ++byte)
      value |= static_cast<uint64_t>(bytes[word * 8 + byte]) << (8 * byte);
    state_[word] = value;
  }
}

uint64_t RngStream::next64() {
  auto& s = state_;
  const uint64_t result = std::rotl(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

uint64_t RngStream::below(uint64_t n) {
  const uint64_t limit = UINT64_MAX - UINT64_MAX % n;  // the largest multiple of n that fits
  uint64_t value = next64();
  while (value >= limit) value = next64();
  return value % n;
}

double RngStream::uniform() { return static_cast<double>(next64() >> 11) * 0x1.0p-53; }

}  // namespace neo
