#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_set>

#include "data/raw_pair.h"

namespace neo {

// A 64-bit hash of the content; the same on every machine.
uint64_t content_hash(std::string_view bytes, uint64_t seed);

// Chooses which units are held out: whole trajectories, groups or files, or single pairs with all their
// duplicates. Units are drawn in the order of a seeded hash, so only hashes are kept in memory.
class HoldOut {
 public:
  // `several_sources`: pairs without trajectory or group belong to their file.
  HoldOut(double share, uint64_t seed, bool several_sources)
      : share_(share), seed_(seed), several_sources_(several_sources) {}
  void add(const RawPair& pair);  // first every pair,
  void choose();                  // then this,
  bool contains(const RawPair& pair) const { return unit_of(pair) <= threshold_ && is_any_; }

  int64_t units() const { return units_; }
  int64_t held_units() const { return held_units_; }
  const char* unit_name() const;  // "trajectories", ...: the kind that most pairs belong to

 private:
  enum class Unit { trajectory, group, source, pair };
  Unit kind_of(const RawPair& pair) const;
  uint64_t unit_of(const RawPair& pair) const;

  double share_;
  uint64_t seed_;
  bool several_sources_;
  std::unordered_set<uint64_t> wholes_;  // trajectories, groups, sources
  std::deque<uint64_t> singles_;         // pairs, repeated where they are
  int64_t counts_[4] = {};
  int64_t units_ = 0, held_units_ = 0;
  uint64_t threshold_ = 0;
  bool is_any_ = false;
};

}  // namespace neo
