#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text.h"
#include "data/import.h"

namespace neo {
std::string ImportReport::paragraph() const {
  const int64_t pairs = info.pairs + info.held_out;
  std::string text = fmt::format("{}: {} from {} ({}).", printable(out.string(), 200), counted(pairs, "pair"), info.source,
                                 describe(info.space));
  if (held_units > 0)
    text +=
        fmt::format(" Held out: {} ({} of {} {}).", counted(info.held_out, "pair"), held_units, units, unit);
  else
    text += " Nothing is held out.";
  text += fmt::format(" y = x in {:.1f}% of the pairs; exact duplicates: {}.", 100 * unchanged, duplicates);
  if (groups > 0) text += fmt::format(" Pairs of a group share a program: {}.", counted(groups, "group"));
  if (!info.programs.empty())
    text += fmt::format(" Known, for scoring only: {}.",
                        counted(static_cast<int64_t>(info.programs.size()), "program"));
  for (const std::string& note : notes) text += fmt::format(" Note: {}.", note);
  for (const std::string& warning : warnings) text += fmt::format(" Warning: {}.", warning);
  return wrapped(text);
}

nlohmann::json ImportReport::json() const {
  return {{"file", out.string()},
          {"sources", sources},
          {"space", to_json(info.space)},
          {"description", describe(info.space)},
          {"pairs", info.pairs + info.held_out},
          {"held_out", info.held_out},
          {"held_out_by", unit},
          {"groups", groups},
          {"programs", info.programs.size()},
          {"unchanged", unchanged},
          {"duplicates", duplicates},
          {"shared", shared},
          {"digest", info.digest},
          {"notes", notes},
          {"warnings", warnings}};
}

}  // namespace neo
