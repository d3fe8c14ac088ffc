#include <fmt/format.h>

#include <algorithm>

#include "app/execute.h"
#include "explain/program_text.h"
#include "neo/learn.h"

namespace neo {
namespace {

void print_vocabulary(const LearnResult& r) {
  fmt::print("vocabulary:\n");
  for (const CodeReport& report : r.inspection.codes) {
    if (report.usage <= 0) continue;
    fmt::print("  {:<4} {:<40} {:>5.1f} % of steps{}\n", code_name(report.code),
               report.name, 100 * report.usage,
               report.primitive.empty() ? "" : fmt::format(", acts as {}", printable(report.primitive, 40)));
  }
}

void print_trials(const LearnResult& r) {
  for (const StructureTrial& trial : r.trials) {
    if (trial.codes == 0 && trial.structure == "none")
      fmt::print("without a theory a pair takes {:.1f} bits\n", trial.bits);
    else
      fmt::print("{} takes {:.1f} bits a pair, {} codes, {:.1f} % explained\n", trial.structure, trial.bits, trial.codes,
                 100 * trial.explained);
  }
}

void print_result(const LearnResult& r) {
  std::string line =
      fmt::format("{} {}: ", r.score.episodes, r.held_out ? "pairs that were held out" : "pairs (none were held out)");
  if (r.space.is_categorical())
    line += fmt::format("{:.1f} % explained exactly", 100 * r.score.explained);
  else
    line += fmt::format("{:.1f} % explained to within the tolerance, mean error {:.4f} (leaving x as it is: {:.4f})",
                        100 * r.score.explained, r.score.error, r.score.identity);
  line += fmt::format(", {:.2f} steps on average", r.score.mean_length);
  if (r.score.transfer)
    line += fmt::format("; {} on the other pair of a group",
                        r.space.is_categorical() ? fmt::format("{:.1f} % right", 100 * *r.score.transfer)
                                                 : fmt::format("error {:.4f}", *r.score.transfer));
  if (r.primitiveness) line += fmt::format("; primitiveness {:.3f}", *r.primitiveness);
  fmt::print("\n{}\n", wrapped(line));
  if (!r.is_theory())
    fmt::print("{}\n", wrapped("no theory found: nothing that these pairs have in common carries over to pairs held out. "
                               "Does y follow from x? More pairs, or pairs fewer steps apart, may help."));
  else
    print_vocabulary(r);
  const std::string run = r.run.string(), data = r.data.string();
  fmt::print(
      "\nlearned in {:.0f} s with structure '{}': {}\nnext:\n  neo explain {} --pair {}:0\n  neo inspect {} --data {} --png "
      "vocabulary.png\n  neo serve {} --open\n",
      r.seconds, r.structure, run, run, data, run, data, run);
}

}  // namespace

void execute(const LearnCommand& command) {
  const LearnResult result = learn(command);
  if (command.json) {
    fmt::print("{}\n", result.json().dump());
    return;
  }
  if (result.imported) fmt::print("{}\n", result.imported->paragraph());
  if (result.continued) fmt::print("continued {}\n", result.run.string());
  print_trials(result);
  print_result(result);
}

}  // namespace neo
