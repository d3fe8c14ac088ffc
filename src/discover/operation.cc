#include "discover/operation.h"

#include <algorithm>
#include <numeric>

namespace neo {
namespace {

constexpr int64_t kChangedPerWrong = 4;
constexpr size_t kMostNodesRead = 4096;

// Calls visit(cell, value) with every new value until that returns false.
template <class Visit>
void visit_cells(const Routing& routing, std::span<const uint16_t> x, Visit&& visit) {
  for (size_t cell = 0; cell < routing.sources.size(); ++cell)
    if (!visit(cell, routing.next(cell, x))) return;
}

template <class Visit>
void visit_cells(const CellRule& rule, std::span<const uint16_t> x, Visit&& visit) {
  const CellReader reader(rule.shape, x);
  size_t cell = 0;
  for (int64_t row = 0; row < rule.shape.rows; ++row)
    for (int64_t column = 0; column < rule.shape.columns; ++column)
      for (int64_t channel = 0; channel < rule.shape.channels; ++channel, ++cell)
        if (!visit(cell, rule.next(reader, row, column, channel))) return;
}

// Numbers in the order in which they were written; a bad one spoils all that follow.
class Words {
 public:
  explicit Words(std::span<const int32_t> words) : words_(words) {}
  int32_t take(int64_t least, int64_t most) {
    if (at_ >= words_.size() || words_[at_] < least || words_[at_] > most) is_good_ = false;
    return is_good_ ? words_[at_++] : 0;
  }
  bool is_done() const { return is_good_ && at_ == words_.size(); }
  bool is_good() const { return is_good_; }

 private:
  std::span<const int32_t> words_;
  size_t at_ = 0;
  bool is_good_ = true;
};

constexpr int32_t kRoutingWord = 0, kRuleWord = 1;

void put(std::vector<int32_t>& out, const Place& place) {
  out.insert(out.end(), {static_cast<int32_t>(place.vertical), static_cast<int32_t>(place.horizontal),
                         place.down, place.right, place.is_turned, place.channel});
}

Place take_place(Words& words, const CellShape& shape) {
  Place place;
  place.vertical = static_cast<Place::Axis>(words.take(0, static_cast<int64_t>(Place::kLastAxis)));
  place.horizontal = static_cast<Place::Axis>(words.take(0, static_cast<int64_t>(Place::kLastAxis)));
  place.down = static_cast<int8_t>(words.take(-127, 127));
  place.right = static_cast<int8_t>(words.take(-127, 127));
  place.is_turned = words.take(0, 1) != 0;
  place.channel = static_cast<int8_t>(words.take(-1, shape.channels - 1));
  return place;
}

void put(std::vector<int32_t>& out, const CellRule::Node& node) {
  out.insert(out.end(), {node.yes, node.no});
  if (node.yes > 0) {
    out.insert(out.end(), {static_cast<int32_t>(node.test.kind), node.test.value, node.test.count});
    return put(out, node.test.place);
  }
  out.insert(out.end(), {static_cast<int32_t>(node.source.kind), node.source.value});
  put(out, node.source.place);
  if (node.source.kind == CellSource::Kind::mapped)
    out.insert(out.end(), node.source.map.begin(), node.source.map.end());
}

// Children come after their parents, so that every tree ends.
CellRule::Node take_node(Words& words, const CellShape& shape, int32_t index, int32_t count) {
  CellRule::Node node;
  node.yes = words.take(0, count - 1);
  node.no = words.take(0, count - 1);
  if (node.yes > 0) {
    if (node.yes <= index || node.no <= index) words.take(1, 0);
    node.test.kind = static_cast<CellTest::Kind>(words.take(0, 2));
    node.test.value = static_cast<uint16_t>(words.take(0, shape.values));
    node.test.count = static_cast<uint8_t>(words.take(0, 8));
    node.test.place = take_place(words, shape);
    return node;
  }
  node.source.kind = static_cast<CellSource::Kind>(words.take(0, 2));
  node.source.value = static_cast<uint16_t>(words.take(0, shape.values - 1));
  node.source.place = take_place(words, shape);
  if (node.source.kind == CellSource::Kind::mapped)
    for (int64_t value = 0; value < shape.values && words.is_good(); ++value)
      node.source.map.push_back(static_cast<uint16_t>(words.take(0, shape.values - 1)));
  return node;
}

CellRule take_rule(Words& words, const CellShape& shape) {
  CellRule rule{shape, {}};
  for (int64_t channel = 0; channel < shape.channels && words.is_good(); ++channel) {
    auto& tree = rule.trees.emplace_back();
    const int32_t count = words.take(1, kMostNodesRead);
    for (int32_t i = 0; i < count && words.is_good(); ++i) tree.push_back(take_node(words, shape, i, count));
  }
  return rule;
}

Routing take_routing(Words& words, const CellShape& shape) {
  Routing routing;
  for (int64_t cell = 0; cell < shape.cells() && words.is_good(); ++cell) {
    routing.sources.push_back(words.take(Routing::kConstant, shape.cells() - 1));
    routing.constants.push_back(static_cast<uint16_t>(words.take(0, shape.values - 1)));
  }
  for (int64_t value = 0; value < shape.values && words.is_good(); ++value)
    routing.map.push_back(static_cast<uint16_t>(words.take(0, shape.values - 1)));
  return routing;
}

}  // namespace

void Operation::apply(std::span<const uint16_t> x, std::span<uint16_t> y) const {
  std::visit(
      [&](const auto& form) {
        visit_cells(form, x, [&](size_t cell, uint16_t value) { return y[cell] = value, true; });
      },
      form_);
}

std::vector<uint16_t> Operation::applied(std::span<const uint16_t> x) const {
  std::vector<uint16_t> y(x.size());
  apply(x, y);
  return y;
}

int64_t Operation::wrong_cells(std::span<const uint16_t> x, std::span<const uint16_t> y) const {
  int64_t wrong = 0;
  std::visit(
      [&](const auto& form) {
        visit_cells(form, x, [&](size_t cell, uint16_t value) { return wrong += value != y[cell], true; });
      },
      form_);
  return wrong;
}

bool Operation::explains(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t noise) const {
  // Where little changes, as much noise as that would explain everything.
  if (noise > 0) noise = std::min(noise, changed_cells(x, y) / kChangedPerWrong);
  std::visit(
      [&](const auto& form) {
        visit_cells(form, x, [&](size_t cell, uint16_t value) { return value == y[cell] || --noise >= 0; });
      },
      form_);
  return noise >= 0;
}

double Operation::cost() const {
  return std::visit([](const auto& form) { return form.cost; }, form_);
}

std::vector<int32_t> Operation::words() const {
  std::vector<int32_t> out;
  if (const Routing* found = routing()) {
    out.push_back(kRoutingWord);
    for (size_t cell = 0; cell < found->sources.size(); ++cell)
      out.insert(out.end(), {found->sources[cell], found->constants[cell]});
    out.insert(out.end(), found->map.begin(), found->map.end());
    return out;
  }
  out.push_back(kRuleWord);
  for (const auto& tree : rule()->trees) {
    out.push_back(static_cast<int32_t>(tree.size()));
    for (const CellRule::Node& node : tree) put(out, node);
  }
  return out;
}

std::optional<Operation> Operation::from_words(std::span<const int32_t> words, const CellShape& shape) {
  Words from(words);
  const bool is_rule = from.take(kRoutingWord, kRuleWord) == kRuleWord;
  Operation operation = is_rule ? Operation(take_rule(from, shape)) : Operation(take_routing(from, shape));
  if (!from.is_done()) return {};
  return operation;
}

// The rule on an observation whose values are the numbers of its cells, N; from there on, values stand for
// constants.
std::optional<Routing> as_routing(const CellRule& rule) {
  if (!can_route(rule.shape)) return {};
  const auto cells = static_cast<uint16_t>(rule.shape.cells());
  Routing routing;
  routing.cost = rule.cost;
  routing.map.resize(static_cast<size_t>(rule.shape.values));
  std::iota(routing.map.begin(), routing.map.end(), uint16_t{0});
  CellRule numbered = rule;
  numbered.shape.values = cells + rule.shape.values;
  for (CellRule::Node& node : numbered.trees[0]) {
    const bool asks_outside =
        node.test.kind == CellTest::Kind::is_value && node.test.value == rule.shape.values;
    if ((node.yes > 0 && !asks_outside) || node.test.place.depends_on_ground() ||
        node.source.place.depends_on_ground())
      return {};
    if (node.yes > 0) node.test.value = static_cast<uint16_t>(numbered.shape.values);
    if (node.source.kind == CellSource::Kind::constant) node.source.value += cells;
    if (node.source.kind != CellSource::Kind::mapped) continue;
    if (numbered.trees[0].size() > 1) return {};
    routing.map = node.source.map;
    node.source = {};
  }
  std::vector<uint16_t> numbers(cells);
  std::iota(numbers.begin(), numbers.end(), uint16_t{0});
  for (const uint16_t source : Operation(numbered).applied(numbers)) {
    routing.sources.push_back(source < cells ? source : Routing::kConstant);
    routing.constants.push_back(source < cells ? uint16_t{0} : static_cast<uint16_t>(source - cells));
  }
  return routing;
}

}  // namespace neo
