#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "core/files.h"
#include "core/table.h"
#include "core/text.h"
#include "neo/evaluation.h"
#include "report/score_summary.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

// How the codes align with the primitives, as many of these beside each other as a page holds.
void print_alignment(const Vocabulary& vocabulary) {
  if (vocabulary.primitives.empty()) return;
  constexpr size_t kBeside = 5;
  std::vector<std::string> names = vocabulary.primitives;
  names.emplace_back("no-op");
  fmt::print("\nshare of inputs where a code acts as a primitive:\n");
  for (size_t begin = 0; begin < names.size(); begin += kBeside) {
    const size_t end = std::min(begin + kBeside, names.size());
    std::vector<std::vector<std::string>> rows(1, {"code"});
    for (size_t p = begin; p < end; ++p) rows[0].push_back(printable(names[p], 12));
    for (size_t code = 0; code < vocabulary.alignment.size(); ++code) {
      rows.push_back({fmt::format("z{}", code)});
      for (size_t p = begin; p < end; ++p)
        rows.back().push_back(fmt::format("{:.3f}", p + 1 < names.size() ? vocabulary.alignment[code][p] : vocabulary.no_op[code]));
    }
    fmt::print("{}", aligned(rows));
  }
}

void print_diagnosis(const Diagnosis& d) {
  fmt::print("\n{}\n", wrapped(fmt::format("{}: transfer as it is {:.4f}, with a perfect executor {:.4f}, with a perfect programmer {:.4f}",
                                           d.name, d.transfer, d.perfect_executor, d.perfect_programmer)));
  for (const auto& [primitive, bins] : d.executor) {
    std::string line = primitive + " exact";
    for (const auto& bin : bins) line += fmt::format(" {} long {:.3f} ({})", bin.length, bin.exact, bin.inputs);
    fmt::print("{}\n", wrapped(line));
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
  const bool own_splits = command.data.empty() && !result.record.at("benchmark").get<std::string>().empty();
  fmt::print("{}", score_summary(result.record, own_splits));
  if (command.full) {
    fmt::print("\n{}", score_curve(result.record));
    print_alignment(result.vocabulary);
  }
  for (const Diagnosis& diagnosis : result.diagnoses) print_diagnosis(diagnosis);
  fmt::print("wrote {}{}\n", printable(out.string(), 400), command.full ? "" : "; every budget and the alignment: --full");
}

}  // namespace neo
