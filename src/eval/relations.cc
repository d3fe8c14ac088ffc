#include "eval/relations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace neo {
namespace {

// Pixels and real numbers are never equal. They count as unchanged below this distance, and two observations as
// alike where they differ by less than this share of what was changed.
constexpr double kUnchangedShare = 0.02;
constexpr double kAlike = 0.3;
constexpr double kRounding = 1e-9;

class Judge {
 public:
  Judge(const Behaviours& b, double share) : b_(b), share_(share) {}

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
  // Both are what becomes of `from`.
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

bool acts(const Judge& judge, int64_t code, int64_t input) {
  return judge.change(judge.before(input), judge.after(code, input)) > 0;
}

double duplicate_share(const Judge& judge, int64_t a, int64_t b) {
  return judge.share(
      [&](int64_t i) { return acts(judge, a, i) || acts(judge, b, i); },
      [&](int64_t i) { return judge.alike(judge.before(i), judge.after(a, i), judge.after(b, i)); });
}

bool undoes(const Judge& judge, int64_t a, int64_t b, int64_t input) {
  const auto *x = judge.before(input), *there = judge.after(a, input);
  const double off = judge.change(judge.twice(a, b, input), x);
  return off == 0 || off < kAlike * judge.change(x, there);
}

// Where a code loses what no code brings back, although most of what it does can be undone: something fell
// off the edge of a grid. Such inputs say nothing about the rules inside. [n][E]
using Losses = std::vector<std::vector<bool>>;
Losses losses_of(const Judge& judge, int64_t codes) {
  Losses losses;
  for (int64_t a = 0; a < codes; ++a) {
    auto& lost = losses.emplace_back();
    int64_t changed = 0, count = 0;
    for (int64_t i = 0; i < judge.inputs(); ++i) {
      bool returns = !acts(judge, a, i);
      changed += !returns;
      for (int64_t b = 0; b < codes && !returns; ++b) returns = undoes(judge, a, b, i);
      lost.push_back(!returns);
      count += !returns;
    }
    if (2 * count >= changed) lost.assign(lost.size(), false);
  }
  return losses;
}

double undo_share(const Judge& judge, const Losses& losses, int64_t a, int64_t b) {
  const auto& lost = losses[static_cast<size_t>(a)];
  return judge.share([&](int64_t i) { return acts(judge, a, i) && !lost[static_cast<size_t>(i)]; },
                     [&](int64_t i) { return undoes(judge, a, b, i); });
}

// Differences are compared with what each code does alone: together they may do nothing.
double commuting_share(const Judge& judge, const Losses& losses, int64_t a, int64_t b) {
  return judge.share(
      [&](int64_t i) {
        const auto at = static_cast<size_t>(i);
        const bool lost = losses[static_cast<size_t>(a)][at] || losses[static_cast<size_t>(b)][at];
        return !lost && (acts(judge, a, i) || acts(judge, b, i));
      },
      [&](int64_t i) {
        const double apart = judge.change(judge.twice(a, b, i), judge.twice(b, a, i));
        return apart == 0 || apart < kAlike * std::min(judge.change(judge.before(i), judge.after(a, i)),
                                                       judge.change(judge.before(i), judge.after(b, i)));
      });
}

double composite_share(const Judge& judge, int64_t code, int64_t a, int64_t b) {
  return judge.share(
      [&](int64_t i) { return acts(judge, code, i); },
      [&](int64_t i) { return judge.alike(judge.before(i), judge.after(code, i), judge.twice(a, b, i)); });
}

void find_pairs(const Judge& judge, const Losses& losses, const std::vector<int64_t>& acting,
                Relations& out) {
  for (int64_t a : acting) {
    for (int64_t b : acting) {
      if (a > b) continue;
      judge.add(out.inverses, a, {b},
                std::min(undo_share(judge, losses, a, b), undo_share(judge, losses, b, a)));
      if (a == b) continue;
      judge.add(out.duplicates, a, {b}, duplicate_share(judge, a, b));
      judge.add(out.commuting, a, {b}, commuting_share(judge, losses, a, b));
    }
  }
}

void find_composites(const Judge& judge, const std::vector<int64_t>& acting, Relations& out) {
  for (int64_t code : acting)
    for (int64_t a : acting)
      for (int64_t b : acting)
        if (a != code && b != code)
          judge.add(out.composites, code, {a, b}, composite_share(judge, code, a, b));
}

}  // namespace

Relations find_relations(const Behaviours& b, double share) {
  const Judge judge(b, share);
  Relations out;
  std::vector<int64_t> acting;
  for (int64_t code = 0; code < b.codes; ++code) {
    int64_t unchanged = 0;
    for (int64_t i = 0; i < b.inputs; ++i) unchanged += !acts(judge, code, i);
    out.unchanged.push_back(b.inputs > 0 ? static_cast<double>(unchanged) / static_cast<double>(b.inputs)
                                         : 0);
    (out.unchanged.back() >= share ? out.no_ops : acting).push_back(code);
  }
  find_pairs(judge, losses_of(judge, b.codes), acting, out);
  find_composites(judge, acting, out);
  return out;
}

}  // namespace neo
