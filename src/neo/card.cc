#include "neo/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/files.h"
#include "core/text.h"
#include "core/version.h"
#include "explain/present.h"
#include "explain/program_text.h"
#include "neo/given_pairs.h"
#include "neo/theory.h"
#include "view/panels.h"

namespace neo {
namespace {

constexpr int64_t kPairsOfCard = 2000;

// What the card tells.
struct CardContent {
  const Theory& theory;
  const Inspection& inspection;
  const SplitScore& score;
  std::string pairs;  // which ones the figures are of
  std::string licence;
  std::string name;
};

// Text of a file or a user in Markdown: on one line, nothing in it is markup.
std::string plain(const std::string& text) {
  std::string out;
  for (char c : printable(text, 200)) {
    if (std::string_view("\\`*_[]<>#|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string share_text(double share, int64_t count) {
  const auto [low, high] = share_interval(share, count);
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * share, 100 * low, 100 * high);
}

std::string front_matter(const CardContent& card) {
  return fmt::format(
      "---\nlicense: {}\nlibrary_name: neo\ntags:\n- program-induction\n- theory-learning\n- {}\n---\n\n",
      plain(card.licence), layout_name(card.theory.space().layout));
}

std::string use_section(const CardContent&) {
  return "## Use\n\n```python\nimport neo_theorizer as nt\ntheory = nt.load(\"theory.safetensors\")\n"
         "e = theory.explain(x, y)       # the program of a pair\ntheory.run(e.program, other)   # the same "
         "on another "
         "input\n```\n\n```sh\nneo inspect theory.safetensors\nneo serve theory.safetensors --open\n```\n\n";
}

std::string origin_section(const CardContent& card) {
  const TheoryInfo& info = card.theory.info();
  const Space& space = card.theory.space();
  const auto& config = card.theory.model().config();
  std::string text = "## What it is\n\n| | |\n|---|---|\n";
  const auto row = [&](std::string_view what, const std::string& value) {
    text += fmt::format("| {} | {} |\n", what, value);
  };
  row("observations", fmt::format("{} (`{}`)", describe(space), to_json(space).dump()));
  row("learned from",
      plain(info.source) + (info.benchmark.empty() ? "" : fmt::format(", alpha {:.2f}", info.alpha)));
  row("digest of the pairs", "`" + info.data_digest + "`");
  row("training knew which pairs belong together", info.grouped ? "yes (grouped)" : "no");
  row("executor", config.executor.kind);
  row("codes", fmt::format("{} of {} in use", card.inspection.codes.size(), card.theory.codes()));
  row("preset, seed, steps", fmt::format("{}, {}, {}", plain(info.preset), info.seed, info.step));
  row("policy", fmt::format("at most {} steps, {} search, tolerance {:g}", card.theory.policy().steps,
                            card.theory.policy().search, card.theory.policy().tolerance));
  row("made with", fmt::format("neo {}", version()));
  return text + "\n";
}

std::string figures_section(const CardContent& card) {
  const SplitScore& s = card.score;
  std::string text = fmt::format(
      "## Figures\n\nOn {} {}, with Wilson's 95 % intervals over pairs (not over seeds: this is one):\n\n",
      s.episodes, card.pairs);
  text += fmt::format("- explained: {}\n", share_text(s.explained, s.episodes));
  if (!card.theory.space().is_categorical())
    text += fmt::format("- mean error: {:.4f} (leaving x as it is: {:.4f})\n", s.error, s.identity);
  if (s.transfer)
    text += card.theory.space().is_categorical()
                ? fmt::format("- transfer to another pair of the same program: {}\n",
                              share_text(*s.transfer, s.episodes))
                : fmt::format("- error of the transfer to another pair of the same program: {:.4f}\n",
                              *s.transfer);
  text += fmt::format("- mean length of programs: {:.2f}\n", s.mean_length);
  if (!card.inspection.vocabulary.primitives.empty())
    text += fmt::format("- primitiveness: {:.3f}\n", card.inspection.vocabulary.primitiveness);
  return text + "\n";
}

std::string vocabulary_section(const CardContent& card) {
  std::string text =
      "## Vocabulary\n\n![Each code with examples of what it does](vocabulary.svg)\n\n| code | does | share "
      "of steps |\n|---|---|---|\n";
  for (const CodeReport& report : card.inspection.codes)
    text += fmt::format("| {} | {} | {:.1f} % |\n", code_name(report.code),
                        plain(report.name),
                        100 * report.usage);
  return text + "\n";
}

std::string limits_section(const CardContent& card) {
  const auto unnamed =
      std::ranges::count_if(card.inspection.codes, [](const CodeReport& r) { return r.name.empty(); });
  std::string text =
      fmt::format("## Limits\n\n- It takes a {} and nothing else.\n", describe(card.theory.space()));
  text += fmt::format("- {:.1f} % of the pairs above are not explained.\n", 100 * (1 - card.score.explained));
  if (unnamed > 0) text += fmt::format("- {} of its codes do nothing that simple words describe.\n", unnamed);
  if (card.theory.info().grouped)
    text +=
        "- Training was told which pairs share a program, which is supervision that others may not have.\n";
  return text + "- Names describe what codes did to the examples; they are no proof.\n";
}

nlohmann::json figures_of(const SplitScore& score) {
  const auto [low, high] = share_interval(score.explained, score.episodes);
  nlohmann::json figures = to_json(score);
  figures["explained_interval"] = {low, high};
  return figures;
}

}  // namespace

std::pair<double, double> share_interval(double share, int64_t count) {
  if (count <= 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;
  const auto n = static_cast<double>(count);
  const double centre = (share + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
  const double half = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n)) / (1 + kZ * kZ / n);
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

nlohmann::json write_card(const CardOptions& options) {
  const Theory theory = Theory::open(options.model);
  make_writable_folder(options.out);
  const Pairs pairs = subsample(inspected_pairs(theory, options.data, {}), kPairsOfCard);
  const Inspection inspection = theory.vocabulary(pairs);
  const SplitScore score = theory.evaluate(pairs);
  const std::string which = options.data.empty() && !theory.benchmark() ? "pairs kept with the theory"
                                                                        : "pairs of " + plain(pairs.name);
  const CardContent card{theory, inspection, score, which, options.licence, name_of_path(options.model)};
  std::string text = front_matter(card) + "# " + plain(card.name) + "\n\n";
  text += fmt::format(
      "A theory of {}: a vocabulary of operations, found in pairs (x, y) without being told any, by neo, and "
      "programs over it.\n\n",
      describe(theory.space()));
  for (const auto& section :
       {use_section, origin_section, figures_section, vocabulary_section, limits_section})
    text += section(card);
  std::vector<PanelRow> rows;
  for (const CodeReport& report : inspection.codes) rows.push_back(panels_of(report));
  theory.save(options.out / "theory.safetensors");
  draw_panels_svg(theory.view(), rows).write_svg(options.out / "vocabulary.svg");
  write_file_atomically(options.out / "README.md", text);
  return figures_of(score);
}

}  // namespace neo
