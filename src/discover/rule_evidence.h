#pragma once

#include "discover/rule_language.h"

namespace neo {

using Bits = std::vector<uint64_t>;  // one per item

int64_t count(const Bits& bits);
int64_t count_both(const Bits& one, const Bits& other);

// A place of a pair; which channel is meant goes without saying.
struct Item {
  int64_t pair;
  int64_t place;
};

// What every item answers to every question, and which sources would be right about it: as bits, so that
// growing a tree is counting them.
struct RuleEvidence {
  RuleEvidence(const PairTable& pairs, const std::vector<Place>& places, const std::vector<CellTest>& counts,
               const std::vector<Item>& items, int64_t channel);
  Bits all() const;  // items

  std::vector<CellTest> tests;  // those that tell some items from others
  std::vector<double> test_costs;
  std::vector<Bits> answers;        // of each test
  std::vector<CellSource> sources;  // copies and constants
  std::vector<double> source_costs;
  std::vector<Bits> agrees;           // of each source with y
  std::vector<uint16_t> own, wanted;  // x and y of each item

 private:
  void add_places(const PairTable& pairs, const std::vector<Place>& places, const std::vector<Item>& items,
                  int64_t channel);
  void add_counts(const PairTable& pairs, const std::vector<CellTest>& counts, const std::vector<Item>& items,
                  int64_t channel);
  void add_constants(const CellShape& shape);
  void add(const CellTest& test, Bits answer, const CellShape& shape);
  void add(const CellSource& source, Bits agreement, const CellShape& shape);
  Bits none() const { return Bits((own.size() + 63) / 64); }
};

}  // namespace neo
