#include "explain/present.h"

#include <fmt/format.h>

#include <cstdlib>

#include "explain/program_text.h"

namespace neo {
namespace {

std::string loss_text(double loss) { return fmt::format("{:.3g}", loss); }

}  // namespace

bool is_image(const World& world) { return world.shape().size() == 3; }

double l1(const Observation& a, const Observation& b) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i) total += std::abs(a[i] - b[i]);
  return total / (255.0 * static_cast<double>(a.size()));
}

std::string verdict(const World& world, const Theory& theory, const Observation& y) {
  if (is_image(world)) return fmt::format("L1 {:.3f}", l1(theory.trace.back(), y));
  return theory.trace.back() == y ? "gives y exactly" : "does not give y";
}

std::vector<size_t> changed_steps(const Theory& theory, const Theory& other) {
  std::vector<size_t> changed;
  for (size_t k = 0; k < theory.codes.size(); ++k)
    if (k >= other.codes.size() || theory.codes[k] != other.codes[k]) changed.push_back(k + 1);
  return changed;
}

Strip strip_of(const std::string& title, const Theory& theory, const std::optional<Observation>& y,
               const std::vector<size_t>& marked) {
  Strip strip{title, theory.trace, {}, y, {}, marked};
  for (int64_t code : theory.codes) strip.codes.push_back(code_name(code));
  for (double loss : theory.losses) strip.notes.push_back("loss " + loss_text(loss));
  return strip;
}

std::string length_text(const Explanation& e) {
  std::string text = fmt::format("length {}: {}\n", e.theory.codes.size(), e.reason);
  bool weighed = false;
  for (const LengthChoice& c : e.lengths) weighed |= c.weighed != c.loss;
  if (e.lengths.size() == e.theory.codes.size() && !weighed) return text;  // the drawing says as much
  text += fmt::format("  {:<8} {:>10}{}\n", "steps", "loss", weighed ? "    weighed" : "");
  for (const LengthChoice& c : e.lengths) {
    text += fmt::format("  {:<8} {:>10}", c.length, loss_text(c.loss));
    if (weighed) text += fmt::format(" {:>10}", loss_text(c.weighed));
    if (c.exact) text += "  exact";
    if (c.length == static_cast<int64_t>(e.theory.codes.size())) text += "  chosen";
    text += '\n';
  }
  return text;
}

std::string alternatives_text(const Explanation& e) {
  if (e.alternatives.empty()) return e.mass < 1 ? fmt::format("posterior mass {:.3f}\n", e.mass) : "";
  const auto line = [](double mass, const Theory& theory, const char* remark) {
    return fmt::format("  {:>6}  {}{}{}\n", mass < 0.0005 ? "<0.001" : fmt::format("{:.3f}", mass),
                       program_text(theory.codes),
                       theory.exact            ? "  exact"
                       : theory.losses.empty() ? ""
                                               : "  loss " + loss_text(theory.losses.back()),
                       remark);
  };
  std::string text = "posterior mass\n" + line(e.mass, e.theory, "  chosen");
  for (const auto& [theory, mass] : e.alternatives) text += line(mass, theory, "");
  return text;
}

}  // namespace neo
