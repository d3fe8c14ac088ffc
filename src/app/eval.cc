#include <fmt/format.h>

#include "app/execute.h"
#include "core/files.h"
#include "neo/evaluation.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

void print_scores(const std::vector<SplitScore>& scores) {
  fmt::print("{:<10} {:>8}  {:<13} {:<26} {:>6} {:>6} {:>6} {:>7} {:>5}  {:>7} {:>8} {:>7} {:>6}\n", "split",
             "episodes", "method", "search", "T", "budget", "calls", "used", "hard", "self", "transfer",
             "pass", "length");
  for (const SplitScore& s : scores) {
    fmt::print("{:<10} {:>8}  {:<13} {:<26} {:>6} {:>6} {:>6} {:>7} {:>5}  {:>7.4f} {:>8} {:>7} {:>6.2f}\n", s.name,
               s.episodes, s.method, s.search, s.temperature > 0 ? fmt::format("{:g}", s.temperature) : "-",
               s.budget, s.calls, s.calls_used > 0 ? fmt::format("{:.1f}", s.calls_used) : "-",
               s.hard_grounding ? "on" : "off", s.self, s.transfer ? fmt::format("{:.4f}", *s.transfer) : "-",
               s.transfer ? fmt::format("{:.4f}", s.pass) : "-", s.mean_length);
  }
  for (const SplitScore& s : scores) {
    if (s.floor > 0 && s.search == "greedy")
      fmt::print("{}: error of leaving the input as it is {:.4f}, of the observation model itself {:.4f}\n",
                 s.name, s.identity, s.floor);
  }
}

void print_vocabulary(const Vocabulary& vocabulary) {
  if (vocabulary.primitives.empty()) return;
  fmt::print(
      "\nprimitiveness {:.4f}, purity {:.4f} on {} inputs; share of inputs where a code acts as a "
      "primitive:\n{:<10}",
      vocabulary.primitiveness, vocabulary.purity, vocabulary.inputs, "");
  for (const std::string& name : vocabulary.primitives) fmt::print(" {:>11}", printable(name, 40));
  fmt::print(" {:>11}\n", "no-op");
  for (size_t code = 0; code < vocabulary.alignment.size(); ++code) {
    fmt::print("code {:<5}", code);
    for (double value : vocabulary.alignment[code]) fmt::print(" {:>11.3f}", value);
    fmt::print(" {:>11.3f}\n", vocabulary.no_op[code]);
  }
}

void print_diagnosis(const Diagnosis& d) {
  fmt::print(
      "\n{}: transfer as it is {:.4f}, with a perfect executor {:.4f}, with a perfect programmer {:.4f}\n",
      d.name, d.transfer, d.perfect_executor, d.perfect_programmer);
  for (const auto& [primitive, bins] : d.executor) {
    fmt::print("  {:<12} exact", primitive);
    for (const auto& bin : bins) fmt::print("  {} long {:.3f} ({})", bin.length, bin.exact, bin.inputs);
    fmt::print("\n");
  }
}

}  // namespace

void execute(const EvalCommand& command) {
  const EvaluationResult result = evaluate(command);
  const fs::path out = !command.out.empty()              ? command.out
                       : fs::is_directory(command.model) ? command.model / result.record_name
                                                         : fs::path("eval.json");
  if (command.programs) write_programs(command.programs_file, result.programs);
  write_output(out, result.record.dump(2) + "\n");
  if (is_standard_output(out)) return;
  if (command.json) {
    fmt::print("{}\n", result.record.dump(2));
    return;
  }
  print_scores(result.scores);
  print_vocabulary(result.vocabulary);
  for (const Diagnosis& diagnosis : result.diagnoses) print_diagnosis(diagnosis);
  fmt::print("wrote {}\n", printable(out.string(), 400));
}

}  // namespace neo
