#include "explain/length.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace neo {
namespace {

std::string steps(int64_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }

// The entry of least weighed loss, the shortest of equals, among all but `other`.
const LengthChoice* least(const std::vector<LengthChoice>& lengths, const LengthChoice* other = nullptr) {
  const LengthChoice* best = nullptr;
  for (const LengthChoice& c : lengths)
    if (&c != other && (!best || c.weighed < best->weighed)) best = &c;
  return best;
}

std::string why_mdl(const std::vector<LengthChoice>& lengths, const LengthChoice& best,
                    const LengthRule& rule) {
  const std::string weighed = rule.lambda == 1.0 ? "the loss" : fmt::format("{:g}^k loss", rule.lambda);
  std::string reason = fmt::format("{} is least after {}: {:.3g}", weighed, steps(best.length), best.weighed);
  if (const LengthChoice* next = least(lengths, &best))
    reason += fmt::format(", next best {:.3g} after {}", next->weighed, steps(next->length));
  return reason;
}

}  // namespace

ChosenLength choose_length(const std::vector<LengthChoice>& lengths, const LengthRule& rule) {
  NEO_CHECK_LT(0u, lengths.size());
  std::string before;  // what was looked for first, in vain
  if (rule.epsilon >= 0) {
    for (const LengthChoice& c : lengths)
      if (c.loss <= rule.epsilon)
        return {c.length, fmt::format("after {} the loss, {:.3g}, is at most epsilon = {:g}", steps(c.length),
                                      c.loss, rule.epsilon)};
    before = fmt::format("no loss is at most epsilon = {:g}; ", rule.epsilon);
  }
  for (const LengthChoice& c : lengths)
    if (c.exact)
      return {c.length,
              before + (c.length == 1 ? "one step gives y exactly"
                                      : fmt::format("{} steps give y exactly, fewer do not", c.length))};
  if (rule.matches) before += "no length gives y exactly; ";
  const LengthChoice& best = *least(lengths);
  return {best.length, before + why_mdl(lengths, best, rule)};
}

}  // namespace neo
