#include "explain/present.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/text.h"

namespace neo {
namespace {

std::string loss_text(double loss) { return fmt::format("{:.3g}", loss); }

}  // namespace

std::string verdict(const Space& space, double error) {
  if (!space.is_categorical()) return fmt::format("error {:.3f}", error);
  return error == 0 ? "gives y exactly" : "does not give y";
}

std::vector<size_t> changed_steps(const ProgramRun& run, const ProgramRun& other) {
  std::vector<size_t> changed;
  for (size_t k = 0; k < run.codes.size(); ++k)
    if (k >= other.codes.size() || run.codes[k] != other.codes[k]) changed.push_back(k + 1);
  return changed;
}

Strip strip_of(const std::string& title, const ProgramRun& run, const std::optional<Observation>& y,
               const CodeNames& names, const std::vector<size_t>& marked) {
  Strip strip{title, run.trace, {}, y, {}, marked};
  for (int64_t code : run.codes) strip.codes.push_back(code_title(code, names));
  for (double loss : run.losses) strip.notes.push_back("loss " + loss_text(loss));
  return strip;
}

std::string title_of(const CodeReport& report) {
  CodeNames names(static_cast<size_t>(report.code + 1));
  names.back() = report.name;
  return code_title(report.code, names);
}

PanelRow panels_of(const CodeReport& report) {
  PanelRow row{fmt::format("{} (in {:.0f} % of explanations)", title_of(report), 100 * report.programs), {}};
  for (const auto& [before, after] : report.examples) {
    row.panels.push_back({.caption = "x", .observation = before, .apart = !row.panels.empty()});
    row.panels.push_back({.caption = code_name(report.code), .observation = after, .arrow = true});
  }
  return row;
}

std::string length_text(const Explanation& e) {
  std::string text = wrapped(fmt::format("length {}: {}", e.run.codes.size(), e.reason)) + "\n";
  bool weighted = false;
  for (const LengthChoice& c : e.lengths) weighted |= c.weighted != c.loss;
  if (e.lengths.size() == e.run.codes.size() && !weighted) return text;  // the drawing says as much
  text += fmt::format("  {:<8} {:>10}{}\n", "steps", "loss", weighted ? "   weighted" : "");
  for (const LengthChoice& c : e.lengths) {
    text += fmt::format("  {:<8} {:>10}", c.length, loss_text(c.loss));
    if (weighted) text += fmt::format(" {:>10}", loss_text(c.weighted));
    if (c.exact) text += "  exact";
    if (c.length == static_cast<int64_t>(e.run.codes.size())) text += "  chosen";
    text += '\n';
  }
  return text;
}

std::string alternatives_text(const Explanation& e, const CodeNames& names) {
  if (e.alternatives.empty()) return e.mass < 1 ? fmt::format("posterior mass {:.3f}\n", e.mass) : "";
  const auto line = [&](double mass, const ProgramRun& run, const char* remark) {
    const std::string program = program_text(run.codes, names) + (run.exact            ? "  exact"
                                                                  : run.losses.empty() ? ""
                                                                                       : "  loss " + loss_text(run.losses.back()));
    std::string text = fmt::format("  {:>6}  ", mass < 0.0005 ? "<0.001" : fmt::format("{:.3f}", mass));
    const std::string indent(text.size(), ' ');
    for (char c : wrapped(program + remark, kPageWidth - indent.size())) text += c == '\n' ? "\n" + indent : std::string(1, c);
    return text + "\n";
  };
  std::string text = "posterior mass\n" + line(e.mass, e.run, "  chosen");
  for (const auto& [run, mass] : e.alternatives) text += line(mass, run, "");
  return text;
}

}  // namespace neo
