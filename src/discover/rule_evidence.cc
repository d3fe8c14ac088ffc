#include "discover/rule_evidence.h"

#include <bit>
#include <optional>

namespace neo {
namespace {

// The instruction that counts bits is not among those that every processor has.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define NEO_COUNTS_BITS __attribute__((target_clones("arch=icelake-server", "popcnt", "default")))
#else
#define NEO_COUNTS_BITS
#endif

NEO_COUNTS_BITS int64_t count_in_both(const uint64_t* one, const uint64_t* other, size_t words) {
  int64_t sum = 0;
  for (size_t word = 0; word < words; ++word) sum += std::popcount(one[word] & other[word]);
  return sum;
}

void set(Bits& bits, size_t item) { bits[item / 64] |= uint64_t{1} << (item % 64); }

// Calls visit(number of the item, reader of its x, row, column).
void visit_items(const PairTable& pairs, const std::vector<Item>& items, auto&& visit) {
  std::optional<CellReader> reader;
  for (size_t item = 0; item < items.size(); ++item) {
    const auto [pair, place] = items[item];
    if (item == 0 || pair != items[item - 1].pair) reader.emplace(pairs.shape, pairs.x_at(pair));
    visit(item, *reader, place / pairs.shape.columns, place % pairs.shape.columns);
  }
}

}  // namespace

int64_t count_both(const Bits& one, const Bits& other) {
  return count_in_both(one.data(), other.data(), one.size());
}

int64_t count(const Bits& bits) { return count_both(bits, bits); }

RuleEvidence::RuleEvidence(const PairTable& pairs, const std::vector<Place>& places,
                           const std::vector<CellTest>& counts, const std::vector<Item>& items,
                           int64_t channel) {
  for (const auto& [pair, place] : items) {
    const auto cell = static_cast<size_t>(place * pairs.shape.channels + channel);
    own.push_back(pairs.x_at(pair)[cell]);
    wanted.push_back(pairs.y_at(pair)[cell]);
  }
  add_places(pairs, places, items, channel);
  add_counts(pairs, counts, items, channel);
  add_constants(pairs.shape);
}

Bits RuleEvidence::all() const {
  Bits bits = none();
  for (size_t item = 0; item < own.size(); ++item) set(bits, item);
  return bits;
}

void RuleEvidence::add_places(const PairTable& pairs, const std::vector<Place>& places,
                              const std::vector<Item>& items, int64_t channel) {
  const auto values = static_cast<size_t>(pairs.values());
  std::vector<Bits> is_value(places.size() * (values + 1)), copies(places.size(), none());
  visit_items(pairs, items, [&](size_t item, const CellReader& reader, int64_t row, int64_t column) {
    for (size_t p = 0; p < places.size(); ++p) {
      const uint16_t value = reader.at(places[p], row, column, channel);
      Bits& answer = is_value[p * (values + 1) + value];
      if (answer.empty()) answer = none();
      set(answer, item);
      if ((value < values ? value : own[item]) == wanted[item]) set(copies[p], item);
    }
  });
  for (size_t p = 0; p < places.size(); ++p) {
    for (size_t value = 0; value <= values; ++value)
      if (Bits& answer = is_value[p * (values + 1) + value]; !answer.empty())
        add({CellTest::Kind::is_value, places[p], static_cast<uint16_t>(value)}, std::move(answer),
            pairs.shape);
    add({CellSource::Kind::copied, places[p], 0, {}}, std::move(copies[p]), pairs.shape);
  }
}

void RuleEvidence::add_counts(const PairTable& pairs, const std::vector<CellTest>& counts,
                              const std::vector<Item>& items, int64_t channel) {
  const auto values = static_cast<size_t>(pairs.values());
  std::vector<Bits> answers_of(counts.size(), none());
  std::vector<uint8_t> around(values + 1);  // how many neighbours have each value
  visit_items(pairs, items, [&](size_t item, const CellReader& reader, int64_t row, int64_t column) {
    for (size_t first = 0; first < counts.size(); first += neighbours_of(counts[first].kind) * values) {
      reader.count_around(counts[first].kind, row, column, channel, around);
      for (size_t value = 0; value < values; ++value)
        for (size_t least = 0; least < around[value]; ++least)
          set(answers_of[first + value * neighbours_of(counts[first].kind) + least], item);
    }
  });
  for (size_t c = 0; c < counts.size(); ++c) add(counts[c], std::move(answers_of[c]), pairs.shape);
}

void RuleEvidence::add_constants(const CellShape& shape) {
  std::vector<Bits> is_wanted(static_cast<size_t>(shape.values), none());
  for (size_t item = 0; item < wanted.size(); ++item) set(is_wanted[wanted[item]], item);
  for (size_t value = 0; value < is_wanted.size(); ++value)
    if (count(is_wanted[value]) > 0)
      add({CellSource::Kind::constant, {}, static_cast<uint16_t>(value), {}}, std::move(is_wanted[value]),
          shape);
}

void RuleEvidence::add(const CellTest& test, Bits answer, const CellShape& shape) {
  const auto yes = static_cast<size_t>(count(answer));
  if (yes == 0 || yes == own.size()) return;
  tests.push_back(test);
  test_costs.push_back(cost_of(test, shape));
  answers.push_back(std::move(answer));
}

void RuleEvidence::add(const CellSource& source, Bits agreement, const CellShape& shape) {
  sources.push_back(source);
  source_costs.push_back(cost_of(source, shape));
  agrees.push_back(std::move(agreement));
}

}  // namespace neo
