#pragma once

#include <vector>

#include "discover/pair_table.h"

namespace neo {

// Where a rule looks from a cell: along each axis as many steps further, mirrored in the middle, or counted
// from the first or the last place. The last place is that of what is filled, where observations are padded.
// Four more ask where something lies on the ground, the most frequent value: the nearest such place before or
// after the cell on its line, and what the cell holds once all of that has slid to the first or the last place.
struct Place {
  enum class Axis : uint8_t { along, mirrored, first, last, before, after, slid_first, slid_last };
  static constexpr Axis kLastAxis = Axis::slid_last;
  Axis vertical = Axis::along, horizontal = Axis::along;
  int8_t down = 0, right = 0;
  bool is_turned = false;  // the row from the cell's column and the column from its row
  int8_t channel = kSame;
  static constexpr int8_t kSame = -1;  // the channel of the cell itself
  bool depends_on_ground() const { return vertical >= Axis::before || horizontal >= Axis::before; }
  bool operator==(const Place&) const = default;
};

// A yes-or-no question about what surrounds a cell: whether the value at a place is `value`, or whether at
// least `count` of the eight or of the four cells around it have that value.
struct CellTest {
  enum class Kind : uint8_t { is_value, eight_around, four_around };
  Kind kind = Kind::is_value;
  Place place;
  uint16_t value = 0;  // V: outside of the observation
  uint8_t count = 1;
  bool operator==(const CellTest&) const = default;
};

// Where the new value of a cell comes from: the value at a place, a constant, or a translation of its own.
struct CellSource {
  enum class Kind : uint8_t { copied, constant, mapped };
  Kind kind = Kind::copied;
  Place place;
  uint16_t value = 0;
  std::vector<uint16_t> map;  // [V]
  bool operator==(const CellSource&) const = default;
};

// What can be read of one observation from the point of view of its cells.
class CellReader {
 public:
  CellReader(const CellShape& shape, std::span<const uint16_t> x);
  uint16_t at(const Place& place, int64_t row, int64_t column, int64_t channel) const;
  int64_t around(CellTest::Kind kind, uint16_t value, int64_t row, int64_t column, int64_t channel) const;
  // The same for all values at once: [V + 1].
  void count_around(CellTest::Kind kind, int64_t row, int64_t column, int64_t channel,
                    std::vector<uint8_t>& counts) const;
  bool holds(const CellTest& test, int64_t row, int64_t column, int64_t channel) const;
  uint16_t value(const CellSource& source, int64_t row, int64_t column, int64_t channel) const;

 private:
  uint16_t value_at(int64_t row, int64_t column, int64_t channel) const;
  uint16_t lying_at(Place::Axis axis, int64_t at, int64_t size, auto&& value_of) const;
  void visit_neighbours(CellTest::Kind kind, int64_t row, int64_t column, int64_t channel,
                        auto&& visit) const;
  const CellShape& shape_;
  std::span<const uint16_t> x_;
  int64_t rows_, columns_;  // of what is filled
  uint16_t ground_ = 0;     // the most frequent value of the first channel
};

// An operation that is the same rule for every cell: a decision tree for each channel whose questions are
// about the cells around, and whose leaves say where the new value comes from.
struct CellRule {
  struct Node {
    int32_t yes = 0, no = 0;  // nodes after this one; 0: this one is a leaf
    CellTest test;
    CellSource source;
    bool operator==(const Node&) const = default;
  };
  CellShape shape;
  std::vector<std::vector<Node>> trees;  // [channels]
  double cost = 0;                       // nats that it takes to write the operation down

  uint16_t next(const CellReader& reader, int64_t row, int64_t column, int64_t channel) const;
  int64_t leaves() const;
  // The same without a question: one of its two answers is always taken.
  CellRule without(size_t tree, size_t node, bool take_yes) const;
  bool operator==(const CellRule& other) const { return shape == other.shape && trees == other.trees; }
};

}  // namespace neo
