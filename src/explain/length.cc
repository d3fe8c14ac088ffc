#include "explain/length.h"

#include <fmt/format.h>

namespace neo {
namespace {

std::string steps(int64_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }

// The entry of least weighted loss, the shortest of equals, among all but `other`.
const LengthChoice* least(const std::vector<LengthChoice>& lengths, const LengthChoice* other) {
  const LengthChoice* best = nullptr;
  for (const LengthChoice& c : lengths)
    if (&c != other && (!best || c.weighted < best->weighted)) best = &c;
  return best;
}

}  // namespace

std::string length_reason(const std::vector<LengthChoice>& lengths, int64_t length, const LengthRule& rule,
                          bool matches) {
  if (static_cast<size_t>(length) > lengths.size()) return "no loss is a number";
  const LengthChoice& chosen = lengths[static_cast<size_t>(length - 1)];
  if (chosen.exact)
    return length == 1 ? "one step gives y exactly" : fmt::format("{} steps give y exactly, fewer do not", length);
  if (chosen.explained)
    return fmt::format("after {} the loss, {:.3g}, is at most the tolerance of {:g}", steps(length), chosen.loss,
                       rule.tolerance);
  std::string reason;
  if (rule.tolerance > 0) reason = fmt::format("no loss is at most the tolerance of {:g}; ", rule.tolerance);
  if (matches) reason += "no length gives y exactly; ";
  if (rule.fallback == Fallback::all_steps) return reason + "all steps are kept";
  const std::string weighted = rule.lambda == 1.0 ? "the loss" : fmt::format("{:g}^k loss", rule.lambda);
  reason += fmt::format("{} is least after {}: {:.3g}", weighted, steps(length), chosen.weighted);
  if (const LengthChoice* next = least(lengths, &chosen))
    reason += fmt::format(", next best {:.3g} after {}", next->weighted, steps(next->length));
  return reason;
}

std::string drawn_reason(const ProgramRun& found, const ProgramRun& drawn, int64_t draws) {
  const char* const flaw = found.explained ? "is longer" : drawn.explained ? "does not explain y" : "is worse";
  return fmt::format("the search ends with a program that {}; of {} drawn this one {}", flaw, draws,
                     drawn.exact ? "gives y exactly" : drawn.explained ? "explains y" : "comes closest");
}

}  // namespace neo
