// What turns one sequence into another, in words: SequenceView::describe.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/text.h"
#include "view/layouts.h"
#include "view/share.h"

namespace neo {
namespace {

using Tokens = std::vector<int64_t>;
using TokenChange = std::pair<Tokens, Tokens>;  // before and after, without padding

struct Rule {
  std::string name;
  std::function<Tokens(Tokens)> apply;
};

Tokens rotated(Tokens tokens, size_t left) {
  if (!tokens.empty())
    std::rotate(tokens.begin(), tokens.begin() + static_cast<int64_t>(left % tokens.size()), tokens.end());
  return tokens;
}

Tokens without_first(const Tokens& tokens, size_t count) {
  return {tokens.begin() + static_cast<int64_t>(std::min(count, tokens.size())), tokens.end()};
}

Tokens without_last(const Tokens& tokens, size_t count) {
  return {tokens.begin(), tokens.end() - static_cast<int64_t>(std::min(count, tokens.size()))};
}

Tokens joined(Tokens a, const Tokens& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Tokens doubled(const Tokens& tokens) {
  Tokens out;
  for (int64_t token : tokens) out.insert(out.end(), {token, token});
  return out;
}

Tokens swapped_ends(Tokens tokens) {
  if (!tokens.empty()) std::swap(tokens.front(), tokens.back());
  return tokens;
}

Tokens sorted(Tokens tokens, bool ascending) {
  std::sort(tokens.begin(), tokens.end());
  if (!ascending) std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

int64_t most_frequent(const std::map<int64_t, int64_t>& counts) {
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::max_element(counts.begin(), counts.end(), by_count);
  return most == counts.end() ? 0 : most->first;
}

void add_order_rules(std::vector<Rule>& rules, size_t longest) {
  constexpr size_t kFarthest = 8;
  rules.push_back({"reverse", [](Tokens t) { return Tokens(t.rbegin(), t.rend()); }});
  rules.push_back({"swap first and last", swapped_ends});
  for (size_t k = 1; k <= std::min(kFarthest, longest / 2); ++k) {
    rules.push_back({fmt::format("rotate left {}", k), [k](Tokens t) { return rotated(t, k); }});
    rules.push_back({fmt::format("rotate right {}", k),
                     [k](Tokens t) { return t.empty() ? t : rotated(t, t.size() - k % t.size()); }});
  }
  rules.push_back({"sort ascending", [](Tokens t) { return sorted(t, true); }});
  rules.push_back({"sort descending", [](Tokens t) { return sorted(t, false); }});
  rules.push_back({"repeat all", [](Tokens t) { return joined(t, t); }});
  rules.push_back({"double every token", doubled});
}

// What comes in at either end is what most often stands there afterwards.
void add_shift_rules(std::vector<Rule>& rules, const std::vector<TokenChange>& changes) {
  constexpr size_t kFarthest = 3;
  std::map<int64_t, int64_t> firsts, lasts;
  for (const auto& [before, after] : changes) {
    if (after.empty()) continue;
    ++firsts[after.front()];
    ++lasts[after.back()];
  }
  for (size_t k = 1; k <= kFarthest; ++k) {
    const Tokens from_left(k, most_frequent(firsts)), from_right(k, most_frequent(lasts));
    const auto of_length = [](Tokens t, size_t n) { return t.resize(n), t; };
    rules.push_back({fmt::format("shift left {}", k),
                     [=](Tokens t) { return of_length(joined(without_first(t, k), from_right), t.size()); }});
    rules.push_back({fmt::format("shift right {}", k),
                     [=](Tokens t) { return of_length(joined(from_left, t), t.size()); }});
    const std::string count = k == 1 ? "" : fmt::format(" {}", k);
    rules.push_back({"drop first" + count, [k](Tokens t) { return without_first(t, k); }});
    rules.push_back({"drop last" + count, [k](Tokens t) { return without_last(t, k); }});
  }
}

// Rules with a number in them, which the changes suggest.
void add_suggested_rules(std::vector<Rule>& rules, const std::vector<TokenChange>& changes, int64_t values,
                         const std::function<std::string(int64_t)>& written) {
  std::set<int64_t> summands, first, last;
  for (const auto& [before, after] : changes) {
    if (before.empty() || after.empty()) continue;
    summands.insert(((after[0] - before[0]) % values + values) % values);
    first.insert(after.front());
    last.insert(after.back());
  }
  constexpr size_t kMost = 64;
  for (int64_t summand : summands) {
    if (summand == 0 || summands.size() > kMost) continue;
    const bool falls = summand > values / 2;
    rules.push_back(
        {fmt::format("{} {} (mod {})", falls ? "minus" : "plus", falls ? values - summand : summand, values),
         [=](Tokens t) {
           for (int64_t& token : t) token = (token + summand) % values;
           return t;
         }});
  }
  if (first.size() <= kMost) {
    for (int64_t token : first)
      rules.push_back({"prepend " + written(token), [token](Tokens t) { return joined({token}, t); }});
  }
  if (last.size() <= kMost) {
    for (int64_t token : last)
      rules.push_back({"append " + written(token), [token](Tokens t) { return joined(t, {token}); }});
  }
}

// One new token for each token, wherever it is.
std::string describe_substitution(const std::vector<TokenChange>& changes, double share,
                                  const std::function<std::string(int64_t)>& written) {
  constexpr int kMostNamed = 3;
  std::map<int64_t, std::map<int64_t, int64_t>> counts;
  for (const auto& [before, after] : changes)
    for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) ++counts[before[i]][after[i]];
  std::map<int64_t, int64_t> most;
  for (const auto& [from, to] : counts)
    most[from] =
        std::max_element(to.begin(), to.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  const double held = share_of(changes, [&](const TokenChange& change) {
    const auto& [before, after] = change;
    return before.size() == after.size() &&
           std::equal(before.begin(), before.end(), after.begin(),
                      [&](int64_t from, int64_t to) { return most.at(from) == to; });
  });
  if (held < share) return "";
  std::string name;
  int changed = 0;
  for (const auto& [from, to] : most) {
    if (from == to) continue;
    name += fmt::format("{}{} to {}", changed++ > 0 ? ", " : "", written(from), written(to));
  }
  return changed > kMostNamed ? "substitute tokens" : name;
}

std::string describe_sequences(const std::vector<TokenChange>& changes, int64_t values,
                               const Symbols& symbols, double share) {
  const auto written = [&](int64_t value) {
    return symbols.empty() || value >= values ? std::to_string(value) : printable(symbols[value], 20);
  };
  size_t longest = 0;
  for (const auto& [before, after] : changes) longest = std::max(longest, before.size());
  if (longest == 0) return "";
  std::vector<Rule> rules;
  add_order_rules(rules, longest);
  add_suggested_rules(rules, changes, values, written);
  add_shift_rules(rules, changes);
  std::string best;
  double most = 0;
  for (const Rule& rule : rules) {
    const double held = share_of(
        changes, [&](const TokenChange& change) { return rule.apply(change.first) == change.second; });
    if (held < share || held <= most) continue;
    most = held;
    best = rule.name;
  }
  return best.empty() ? describe_substitution(changes, share, written) : best;
}

}  // namespace

std::string SequenceView::describe(const std::vector<Change>& changes, double share) const {
  if (changes.empty() || share_of(changes, is_unchanged) >= share) return "";
  const auto tokens_of = [&](const Observation& observation) {
    auto tokens = integers_of(space(), observation);
    while (space().padded && !tokens.empty() && tokens.back() == space().values[0] - 1) tokens.pop_back();
    return tokens;
  };
  std::vector<TokenChange> tokens;
  for (const auto& [before, after] : changes) tokens.emplace_back(tokens_of(before), tokens_of(after));
  return describe_sequences(tokens, std::max<int64_t>(1, writable_values(0)), symbols_, share);
}

}  // namespace neo
