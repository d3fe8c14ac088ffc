#pragma once

#include <optional>
#include <variant>

#include "discover/cell_rule.h"
#include "discover/routing.h"

namespace neo {

// What counting can find: an operation that moves values between fixed cells, or the same rule for every
// cell.
class Operation {
 public:
  Operation(Routing routing) : form_(std::move(routing)) {}
  Operation(CellRule rule) : form_(std::move(rule)) {}

  void apply(std::span<const uint16_t> x, std::span<uint16_t> y) const;
  std::vector<uint16_t> applied(std::span<const uint16_t> x) const;
  int64_t wrong_cells(std::span<const uint16_t> x, std::span<const uint16_t> y) const;
  // Whether y is what becomes of x, but for at most `noise` cells, and few of those that change.
  bool explains(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t noise) const;
  double cost() const;
  const Routing* routing() const { return std::get_if<Routing>(&form_); }  // null where it is a rule
  const CellRule* rule() const { return std::get_if<CellRule>(&form_); }
  bool operator==(const Operation&) const = default;

  // As plain numbers, for files; none where they are not an operation on observations of that shape.
  std::vector<int32_t> words() const;
  static std::optional<Operation> from_words(std::span<const int32_t> words, const CellShape& shape);

 private:
  std::variant<Routing, CellRule> form_;
};

// The same operation with a source for every cell, where none of its questions is about what a cell holds.
std::optional<Routing> as_routing(const CellRule& rule);

}  // namespace neo
