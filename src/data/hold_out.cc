#include "data/hold_out.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/text.h"
#include "data/number_text.h"

namespace neo {
namespace {

uint64_t mixed(uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Equal for all that may be encoded alike: a number with zeros in front, too.
uint64_t value_hash(const RawValue& value, uint64_t seed) {
  uint64_t hash = content_hash(bytes_of(value.values), content_hash(bytes_of(value.shape), seed));
  std::string_view text = trimmed(value.text);
  if (is_digits(text)) text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  hash = content_hash(text, hash);
  for (const std::string& token : value.tokens) hash = content_hash(token, hash);
  return hash;
}

}  // namespace

uint64_t content_hash(std::string_view bytes, uint64_t seed) {
  constexpr uint64_t kStep = 0x9E3779B97F4A7C15u;
  const uint64_t start = mixed(seed + kStep) ^ bytes.size();
  std::array<uint64_t, 4> lanes{start, start + kStep, start + 2 * kStep,
                                start + 3 * kStep};  // four chains at a time
  for (size_t at = 0; at < bytes.size(); at += 32) {
    std::array<uint64_t, 4> words{};
    std::memcpy(words.data(), bytes.data() + at, std::min<size_t>(32, bytes.size() - at));
    for (size_t i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i] ^ words[i]) + kStep;
  }
  return mixed(mixed(mixed(lanes[0] ^ lanes[1]) + lanes[2]) ^ lanes[3]);
}

HoldOut::Unit HoldOut::kind_of(const RawPair& p) const {
  if (p.trajectory >= 0) return Unit::trajectory;
  if (!p.group.empty()) return Unit::group;
  return several_sources_ ? Unit::source : Unit::pair;
}

uint64_t HoldOut::unit_of(const RawPair& p) const {
  const Unit kind = kind_of(p);
  const uint64_t start = content_hash("", seed_ + static_cast<uint64_t>(kind));
  switch (kind) {
    case Unit::trajectory:
      return content_hash(
          "", start ^ mixed(static_cast<uint64_t>(p.source) << 40 ^ static_cast<uint64_t>(p.trajectory)));
    case Unit::group:
      return content_hash(p.group, start);
    case Unit::source:
      return content_hash("", start ^ static_cast<uint64_t>(p.source) << 1);
    case Unit::pair:
      break;
  }
  return value_hash(p.y, value_hash(p.x, start));
}

void HoldOut::add(const RawPair& p) {
  const Unit kind = kind_of(p);
  ++counts_[static_cast<size_t>(kind)];
  if (kind == Unit::pair)
    singles_.push_back(unit_of(p));
  else
    wholes_.insert(unit_of(p));
}

void HoldOut::choose() {
  std::deque<uint64_t> units = std::move(singles_);
  units.insert(units.end(), wholes_.begin(), wholes_.end());
  wholes_.clear();
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  units_ = static_cast<int64_t>(units.size());
  if (share_ <= 0 || units_ < 2) return;
  const auto wanted = static_cast<int64_t>(std::llround(share_ * static_cast<double>(units_)));
  held_units_ = std::clamp<int64_t>(wanted, 1, units_ - 1);
  threshold_ = units[static_cast<size_t>(held_units_ - 1)];
  is_any_ = true;
}

const char* HoldOut::unit_name() const {
  constexpr std::array<const char*, 4> kNames{"trajectories", "groups", "files", "different pairs"};
  return kNames[static_cast<size_t>(std::max_element(counts_, counts_ + 4) - counts_)];
}

}  // namespace neo
