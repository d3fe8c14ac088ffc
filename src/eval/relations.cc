#include "eval/relations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace neo {
namespace {

// Pixels and real numbers are never equal. They count as unchanged below this distance, and two observations
// as alike where they differ by less than this share of what was changed.
constexpr double kUnchangedShare = 0.02;
constexpr double kAlike = 0.3;
constexpr double kRounding = 1e-9;

class RelationTest {
 public:
  RelationTest(const Behaviours& b, double share) : b_(b), share_(share) {}

  int64_t inputs() const { return b_.inputs; }
  const uint8_t* before(int64_t input) const { return b_.before.data() + input * b_.size; }
  const uint8_t* after(int64_t code, int64_t input) const {
    return b_.after.data() + (code * b_.inputs + input) * b_.size;
  }
  const uint8_t* twice(int64_t first, int64_t second, int64_t input) const {
    return b_.twice.data() + ((first * b_.codes + second) * b_.inputs + input) * b_.size;
  }

  // How much was changed; for categories 0 or 1.
  double change(const uint8_t* from, const uint8_t* to) const {
    if (!b_.distance) return std::memcmp(from, to, static_cast<size_t>(b_.size)) == 0 ? 0 : 1;
    const double apart = b_.distance(from, to);
    return apart < kUnchangedShare ? 0 : apart;
  }
  // Both derive from `from`.
  bool alike(const uint8_t* from, const uint8_t* a, const uint8_t* b) const {
    const double apart = change(a, b);
    return apart == 0 || apart < kAlike * std::min(change(from, a), change(from, b));
  }

  // The share of inputs on which `holds`, of those that `counts`; gives up below the wanted share.
  template <typename Counts, typename Holds>
  double share(Counts&& counts, Holds&& holds) const {
    int64_t counted = 0, held = 0, missed = 0;
    const double most = (1 - share_) * static_cast<double>(b_.inputs) + kRounding;
    for (int64_t i = 0; i < b_.inputs; ++i) {
      if (!counts(i)) continue;
      ++counted;
      holds(i) ? ++held : ++missed;
      if (static_cast<double>(missed) > most) return 0;
    }
    return counted > 0 ? static_cast<double>(held) / static_cast<double>(counted) : 0;
  }
  void add(std::vector<CodeRelation>& to, int64_t code, std::vector<int64_t> others, double value) const {
    if (value + kRounding >= share_) to.push_back({code, std::move(others), value});
  }

 private:
  const Behaviours& b_;
  double share_;
};

bool acts(const RelationTest& test, int64_t code, int64_t input) {
  return test.change(test.before(input), test.after(code, input)) > 0;
}

double duplicate_share(const RelationTest& test, int64_t a, int64_t b) {
  return test.share(
      [&](int64_t i) { return acts(test, a, i) || acts(test, b, i); },
      [&](int64_t i) { return test.alike(test.before(i), test.after(a, i), test.after(b, i)); });
}

bool undoes(const RelationTest& test, int64_t a, int64_t b, int64_t input) {
  const auto *x = test.before(input), *there = test.after(a, input);
  const double off = test.change(test.twice(a, b, input), x);
  return off == 0 || off < kAlike * test.change(x, there);
}

// Where a code loses what no code brings back, although most of what it does can be undone: something fell
// off the edge of a grid. Such inputs say nothing about the rules inside. [n][E]
using Losses = std::vector<std::vector<bool>>;
Losses losses_of(const RelationTest& test, int64_t codes) {
  Losses losses;
  for (int64_t a = 0; a < codes; ++a) {
    auto& lost = losses.emplace_back();
    int64_t changed = 0, count = 0;
    for (int64_t i = 0; i < test.inputs(); ++i) {
      bool returns = !acts(test, a, i);
      changed += !returns;
      for (int64_t b = 0; b < codes && !returns; ++b) returns = undoes(test, a, b, i);
      lost.push_back(!returns);
      count += !returns;
    }
    if (2 * count >= changed) lost.assign(lost.size(), false);
  }
  return losses;
}

double undo_share(const RelationTest& test, const Losses& losses, int64_t a, int64_t b) {
  const auto& lost = losses[static_cast<size_t>(a)];
  return test.share([&](int64_t i) { return acts(test, a, i) && !lost[static_cast<size_t>(i)]; },
                    [&](int64_t i) { return undoes(test, a, b, i); });
}

// Differences are compared with what each code does alone: together they may do nothing.
double commuting_share(const RelationTest& test, const Losses& losses, int64_t a, int64_t b) {
  return test.share(
      [&](int64_t i) {
        const auto at = static_cast<size_t>(i);
        const bool lost = losses[static_cast<size_t>(a)][at] || losses[static_cast<size_t>(b)][at];
        return !lost && (acts(test, a, i) || acts(test, b, i));
      },
      [&](int64_t i) {
        const double apart = test.change(test.twice(a, b, i), test.twice(b, a, i));
        return apart == 0 || apart < kAlike * std::min(test.change(test.before(i), test.after(a, i)),
                                                       test.change(test.before(i), test.after(b, i)));
      });
}

double composite_share(const RelationTest& test, int64_t code, int64_t a, int64_t b) {
  return test.share(
      [&](int64_t i) { return acts(test, code, i); },
      [&](int64_t i) { return test.alike(test.before(i), test.after(code, i), test.twice(a, b, i)); });
}

void find_pairs(const RelationTest& test, const Losses& losses, const std::vector<int64_t>& acting,
                Relations& out) {
  for (int64_t a : acting) {
    for (int64_t b : acting) {
      if (a > b) continue;
      test.add(out.inverses, a, {b},
               std::min(undo_share(test, losses, a, b), undo_share(test, losses, b, a)));
      if (a == b) continue;
      test.add(out.duplicates, a, {b}, duplicate_share(test, a, b));
      test.add(out.commuting, a, {b}, commuting_share(test, losses, a, b));
    }
  }
}

void find_composites(const RelationTest& test, const std::vector<int64_t>& acting, Relations& out) {
  for (int64_t code : acting)
    for (int64_t a : acting)
      for (int64_t b : acting)
        if (a != code && b != code) test.add(out.composites, code, {a, b}, composite_share(test, code, a, b));
}

}  // namespace

Relations find_relations(const Behaviours& b, double share) {
  const RelationTest test(b, share);
  Relations out;
  std::vector<int64_t> acting;
  for (int64_t code = 0; code < b.codes; ++code) {
    int64_t unchanged = 0;
    for (int64_t i = 0; i < b.inputs; ++i) unchanged += !acts(test, code, i);
    out.unchanged.push_back(b.inputs > 0 ? static_cast<double>(unchanged) / static_cast<double>(b.inputs)
                                         : 0);
    (out.unchanged.back() >= share ? out.no_ops : acting).push_back(code);
  }
  find_pairs(test, losses_of(test, b.codes), acting, out);
  find_composites(test, acting, out);
  return out;
}

}  // namespace neo
