#include "discover/cell_rule.h"

#include <algorithm>

namespace neo {
namespace {

int64_t position(Place::Axis axis, int64_t offset, int64_t at, int64_t size) {
  switch (axis) {
    case Place::Axis::along:
      return at + offset;
    case Place::Axis::mirrored:
      return size - 1 - at + offset;
    case Place::Axis::first:
      return offset;
    case Place::Axis::last:
      return size - 1 + offset;
    default:  // depends on the ground
      return at;
  }
}

uint16_t most_frequent(const CellShape& shape, std::span<const uint16_t> x) {
  std::vector<int32_t> count(static_cast<size_t>(shape.values));
  for (size_t cell = 0; cell < x.size(); cell += static_cast<size_t>(shape.channels))
    if (shape.blank.empty() || x[cell] != shape.blank[0]) ++count[x[cell]];
  return static_cast<uint16_t>(std::ranges::max_element(count) - count.begin());
}

}  // namespace

CellReader::CellReader(const CellShape& shape, std::span<const uint16_t> x)
    : shape_(shape), x_(x), rows_(shape.rows), columns_(shape.columns), ground_(most_frequent(shape, x)) {
  if (shape.blank.empty()) return;
  rows_ = columns_ = 0;
  for (int64_t row = 0; row < shape.rows; ++row)
    for (int64_t column = 0; column < shape.columns; ++column)
      if (value_at(row, column, 0) != shape.blank[0]) {
        rows_ = row + 1;
        columns_ = std::max(columns_, column + 1);
      }
}

uint16_t CellReader::value_at(int64_t row, int64_t column, int64_t channel) const {
  if (row < 0 || column < 0 || row >= shape_.rows || column >= shape_.columns)
    return shape_.blank.empty() ? static_cast<uint16_t>(shape_.values)
                                : shape_.blank[static_cast<size_t>(channel)];
  return x_[static_cast<size_t>((row * shape_.columns + column) * shape_.channels + channel)];
}

// What lies on the ground of a line, `size` places long, as seen from the place `at` of it.
uint16_t CellReader::lying_at(Place::Axis axis, int64_t at, int64_t size, auto&& value_of) const {
  const bool is_forward = axis == Place::Axis::after || axis == Place::Axis::slid_first;
  const bool is_slid = axis == Place::Axis::slid_first || axis == Place::Axis::slid_last;
  const int64_t step = is_forward ? 1 : -1;
  int64_t wanted = !is_slid ? 1 : is_forward ? at + 1 : size - at;  // of what is met
  for (int64_t i = is_slid ? (is_forward ? 0 : size - 1) : at + step; i >= 0 && i < size; i += step)
    if (const uint16_t value = value_of(i); value != ground_ && --wanted == 0) return value;
  return value_of(-1);
}

uint16_t CellReader::at(const Place& place, int64_t row, int64_t column, int64_t channel) const {
  if (place.vertical >= Place::Axis::before)
    return lying_at(place.vertical, row, rows_, [&](int64_t i) { return value_at(i, column, channel); });
  if (place.horizontal >= Place::Axis::before)
    return lying_at(place.horizontal, column, columns_, [&](int64_t i) { return value_at(row, i, channel); });
  const int64_t down = position(place.vertical, place.down, place.is_turned ? column : row, rows_);
  const int64_t right = position(place.horizontal, place.right, place.is_turned ? row : column, columns_);
  return value_at(down, right, place.channel == Place::kSame ? channel : place.channel);
}

void CellReader::visit_neighbours(CellTest::Kind kind, int64_t row, int64_t column, int64_t channel,
                                  auto&& visit) const {
  for (int64_t down = -1; down <= 1; ++down)
    for (int64_t right = -1; right <= 1; ++right)
      if (kind == CellTest::Kind::eight_around ? down != 0 || right != 0 : (down == 0) != (right == 0))
        visit(value_at(row + down, column + right, channel));
}

int64_t CellReader::around(CellTest::Kind kind, uint16_t value, int64_t row, int64_t column,
                           int64_t channel) const {
  int64_t count = 0;
  visit_neighbours(kind, row, column, channel, [&](uint16_t there) { count += there == value; });
  return count;
}

void CellReader::count_around(CellTest::Kind kind, int64_t row, int64_t column, int64_t channel,
                              std::vector<uint8_t>& counts) const {
  std::ranges::fill(counts, uint8_t{0});
  visit_neighbours(kind, row, column, channel, [&](uint16_t there) { ++counts[there]; });
}

bool CellReader::holds(const CellTest& test, int64_t row, int64_t column, int64_t channel) const {
  if (test.kind == CellTest::Kind::is_value) return at(test.place, row, column, channel) == test.value;
  return around(test.kind, test.value, row, column, channel) >= test.count;
}

uint16_t CellReader::value(const CellSource& source, int64_t row, int64_t column, int64_t channel) const {
  const uint16_t own = value_at(row, column, channel);
  if (source.kind == CellSource::Kind::constant) return source.value;
  if (source.kind == CellSource::Kind::mapped) return source.map[own];
  const uint16_t there = at(source.place, row, column, channel);
  return there < shape_.values ? there : own;  // nothing comes from outside
}

uint16_t CellRule::next(const CellReader& reader, int64_t row, int64_t column, int64_t channel) const {
  const auto& tree = trees[static_cast<size_t>(channel)];
  const Node* node = tree.data();
  while (node->yes > 0)
    node = tree.data() + (reader.holds(node->test, row, column, channel) ? node->yes : node->no);
  return reader.value(node->source, row, column, channel);
}

namespace {

// Copies what is below a node, the children after their parents.
void copy_below(const std::vector<CellRule::Node>& from, size_t at, size_t skipped, bool take_yes,
                std::vector<CellRule::Node>& to, size_t into) {
  while (at == skipped) at = static_cast<size_t>(take_yes ? from[at].yes : from[at].no);
  to[into] = from[at];
  if (from[at].yes == 0) return;
  const size_t first = to.size();
  to.resize(first + 2);
  to[into].yes = static_cast<int32_t>(first);
  to[into].no = static_cast<int32_t>(first + 1);
  copy_below(from, static_cast<size_t>(from[at].yes), skipped, take_yes, to, first);
  copy_below(from, static_cast<size_t>(from[at].no), skipped, take_yes, to, first + 1);
}

}  // namespace

CellRule CellRule::without(size_t tree, size_t node, bool take_yes) const {
  CellRule shorter = *this;
  shorter.trees[tree].assign(1, {});
  copy_below(trees[tree], 0, node, take_yes, shorter.trees[tree], 0);
  return shorter;
}

int64_t CellRule::leaves() const {
  int64_t count = 0;
  for (const auto& tree : trees)
    for (const Node& node : tree) count += node.yes == 0;
  return count;
}

}  // namespace neo
