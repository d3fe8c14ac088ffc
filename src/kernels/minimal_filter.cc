#include "kernels/minimal_filter.h"

#include <algorithm>
#include <map>
#include <optional>

namespace neo {
namespace {

constexpr int64_t kNone = -1;
constexpr int64_t kFewest = 64;  // channels that make sharing worth while

// (x[plus] - x[minus]) (w[first] + w[second])
struct Term {
  int64_t plus, minus, first, second;
};

// Every target of an axis is the sum of its own terms and perhaps of one that it shares with another.
struct Axis {
  std::vector<std::vector<Term>> own;  // [target]
  std::vector<int64_t> shared;         // [target] index into terms, or kNone
  std::vector<Term> terms;
};

std::optional<int64_t> source_at(const std::vector<Reach>& reach, int64_t position) {
  for (const auto& [k, source] : reach)
    if (k == position) return source;
  return std::nullopt;
}

// u and v such that a = u l + v m + ..., b = u m + v r + ...
struct Pairing {
  int64_t u, v, left, middle, right;
};
std::optional<Pairing> pairing(const std::vector<Reach>& a, const std::vector<Reach>& b) {
  for (const auto& [v, middle] : a) {
    for (const auto& [u, same] : b) {
      if (u == v || same != middle) continue;
      const auto left = source_at(a, u), right = source_at(b, v);
      if (left && right) return Pairing{u, v, *left, middle, *right};
    }
  }
  return std::nullopt;
}

std::vector<Term> plain_terms(const std::vector<Reach>& reach, int64_t without = kNone, int64_t nor = kNone) {
  std::vector<Term> terms;
  for (const auto& [position, source] : reach)
    if (position != without && position != nor) terms.push_back({source, kNone, position, kNone});
  return terms;
}

Axis make_axis(const AxisReach& reach, bool pairs) {
  constexpr size_t kFarthest = 2;  // targets between two that may share: transposed, every other one
  Axis axis;
  axis.shared.assign(reach.size(), kNone);
  for (const auto& target : reach) axis.own.push_back(plain_terms(target));
  if (!pairs) return axis;
  for (size_t a = 0; a < reach.size(); ++a) {
    for (size_t b = a + 1; b < reach.size() && b <= a + kFarthest && axis.shared[a] == kNone; ++b) {
      const auto p = axis.shared[b] == kNone ? pairing(reach[a], reach[b]) : std::nullopt;
      if (!p) continue;
      axis.shared[a] = axis.shared[b] = static_cast<int64_t>(axis.terms.size());
      axis.terms.push_back({p->middle, kNone, p->u, p->v});
      axis.own[a] = plain_terms(reach[a], p->u, p->v);
      axis.own[a].push_back({p->left, p->middle, p->u, kNone});
      axis.own[b] = plain_terms(reach[b], p->u, p->v);
      axis.own[b].push_back({p->right, p->middle, p->v, kNone});
    }
  }
  return axis;
}

// Steps for both axes at once: the terms of a pixel are the products of a row's terms with a column's.
class Builder {
 public:
  Builder(const ImageExtent& source, const Axis& rows, const Axis& columns)
      : source_(source), rows_(rows), columns_(columns) {}

  ConvPlan build() {
    for (size_t y = 0; y < rows_.own.size(); ++y)
      for (size_t x = 0; x < columns_.own.size(); ++x) add_pixel(y, x);
    const bool as_it_is = std::ranges::all_of(plan_.inputs, [](const auto& sum) { return sum.terms == 1; });
    if (as_it_is) {
      for (Tap& tap : plan_.taps)
        tap.input = plan_.inputs[static_cast<size_t>(tap.input / source_.channels)].plus[0] *
                    static_cast<int32_t>(source_.channels);
      plan_.inputs.clear();
    }
    return std::move(plan_);
  }
  // The kernel's positions {row, column} whose weights each weight of the plan is the sum of.
  using Positions = std::vector<std::array<int64_t, 2>>;
  const std::vector<Positions>& weights() const { return weights_; }

 private:
  void add_pixel(size_t y, size_t x) {
    ConvPlan::Step step{.target = static_cast<int32_t>(y * columns_.own.size() + x)};
    const int64_t row = rows_.shared[y], column = columns_.shared[x];
    if (column != kNone) step.addends[0] = column_slot(y, column);
    if (row != kNone) step.addends[1] = row_slot(row, x);
    add_step(step, rows_.own[y], columns_.own[x]);
  }
  // Row y's own terms with the shared one of two columns; where y shares a row's too, also those two.
  int32_t column_slot(size_t y, int64_t column) {
    const auto [at, is_new] = column_slots_.try_emplace({y, column}, 0);
    if (!is_new) return at->second;
    ConvPlan::Step step;
    if (rows_.shared[y] != kNone) step.addends[0] = both_slot(rows_.shared[y], column);
    return at->second = keep(step, rows_.own[y], {columns_.terms[static_cast<size_t>(column)]});
  }
  int32_t row_slot(int64_t row, size_t x) {
    const auto [at, is_new] = row_slots_.try_emplace({x, row}, 0);
    if (!is_new) return at->second;
    return at->second = keep({}, {rows_.terms[static_cast<size_t>(row)]}, columns_.own[x]);
  }
  int32_t both_slot(int64_t row, int64_t column) {
    const auto [at, is_new] = both_slots_.try_emplace({static_cast<size_t>(row), column}, 0);
    if (!is_new) return at->second;
    return at->second = keep({}, {rows_.terms[static_cast<size_t>(row)]},
                             {columns_.terms[static_cast<size_t>(column)]});
  }
  int32_t keep(ConvPlan::Step step, const std::vector<Term>& rows, const std::vector<Term>& columns) {
    const auto slot = static_cast<int32_t>(plan_.slots++);
    step.target = -1 - slot;
    add_step(step, rows, columns);
    return slot;
  }
  void add_step(ConvPlan::Step step, const std::vector<Term>& rows, const std::vector<Term>& columns) {
    step.tap_begin = static_cast<int32_t>(plan_.taps.size());
    for (const Term& row : rows)
      for (const Term& column : columns)
        plan_.taps.push_back({input(row, column) * static_cast<int32_t>(source_.channels),
                              weight(row, column) * static_cast<int32_t>(source_.channels * kTileColumns)});
    step.tap_end = static_cast<int32_t>(plan_.taps.size());
    plan_.steps.push_back(step);
  }

  int32_t input(const Term& row, const Term& column) {
    const auto [at, is_new] = inputs_.try_emplace({row.plus, row.minus, column.plus, column.minus},
                                                  static_cast<int32_t>(plan_.inputs.size()));
    if (!is_new) return at->second;
    const auto pixel = [&](int64_t y, int64_t x) { return static_cast<int32_t>(y * source_.width + x); };
    ConvPlan::Input sum{.plus = {pixel(row.plus, column.plus)}};
    if (row.minus != kNone && column.minus != kNone) {  // (a - b)(c - d)
      sum = {4,
             {sum.plus[0], pixel(row.minus, column.minus)},
             {pixel(row.plus, column.minus), pixel(row.minus, column.plus)}};
    } else if (row.minus != kNone) {
      sum = {2, sum.plus, {pixel(row.minus, column.plus)}};
    } else if (column.minus != kNone) {
      sum = {2, sum.plus, {pixel(row.plus, column.minus)}};
    }
    plan_.inputs.push_back(sum);
    return at->second;
  }
  int32_t weight(const Term& row, const Term& column) {
    const auto [at, is_new] = weight_indices_.try_emplace(
        {row.first, row.second, column.first, column.second}, static_cast<int32_t>(weights_.size()));
    if (!is_new) return at->second;
    Positions sum;
    for (const int64_t y : {row.first, row.second})
      for (const int64_t x : {column.first, column.second})
        if (y != kNone && x != kNone) sum.push_back({y, x});
    weights_.push_back(sum);
    return at->second;
  }

  ImageExtent source_;
  const Axis &rows_, &columns_;
  ConvPlan plan_;
  std::vector<Positions> weights_;
  using Slots = std::map<std::pair<size_t, int64_t>, int32_t>;
  Slots column_slots_, row_slots_, both_slots_;
  std::map<std::array<int64_t, 4>, int32_t> inputs_, weight_indices_;
};

}  // namespace

ConvPlan make_plan(const ImageExtent& source, const ImageExtent& target, const AxisReach& rows,
                   const AxisReach& columns, const WeightAt& weight_at) {
  // Sums cost a pass over the channels; a product saved must be worth several.
  const bool pairs = source.channels >= kFewest && target.channels >= kFewest;
  const Axis row_axis = make_axis(rows, pairs), column_axis = make_axis(columns, pairs);
  Builder builder(source, row_axis, column_axis);
  ConvPlan plan = builder.build();
  plan.source_channels = source.channels;
  plan.target_channels = target.channels;
  plan.source_size = source.size();
  plan.target_size = target.size();
  const auto& weights = builder.weights();
  const int64_t panels = panels_of(target.channels);
  plan.panel_size = static_cast<int64_t>(weights.size()) * source.channels * kTileColumns;
  plan.panels.assign(static_cast<size_t>(panels * plan.panel_size), 0);
  for (int64_t t = 0; t < target.channels; ++t) {
    float* value = plan.panels.data() + t / kTileColumns * plan.panel_size + t % kTileColumns;
    for (const auto& positions : weights)
      for (int64_t s = 0; s < source.channels; ++s, value += kTileColumns)
        for (const auto& [y, x] : positions) *value += weight_at(y, x, s, t);
  }
  return plan;
}

}  // namespace neo
