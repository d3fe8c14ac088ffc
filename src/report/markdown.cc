#include "report/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "core/table.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr const char* kMissing = "missing";
constexpr const char* kNone = "–";
constexpr const char* kDagger = " †";

// A row of a table; cells are joined with bars, so that a bar within one (|E| = 36) must be escaped.
std::string row(std::vector<std::string> cells) {
  for (std::string& cell : cells)
    for (size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) cell.insert(at, "\\");
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}
std::string header(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (size_t i = 0; i < cells.size(); ++i) rule += "---|";
  return row(cells) + rule + "\n";
}

std::string spread(const Estimate& e, int digits) {
  if (e.missing()) return kMissing;
  if (e.summary.count == 1) return fmt::format("{:.{}f}", e.summary.mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", e.summary.mean, digits, e.summary.deviation, digits);
}
std::string interval(const Estimate& e) {
  if (e.missing()) return kNone;
  if (!e.summary.interval) return "one seed";
  return fmt::format("{:.4f} … {:.4f}", e.summary.interval->low, e.summary.interval->high);
}
std::string seeds(const Estimate& e) {
  if (e.missing()) return kNone;
  std::vector<std::string> values;
  for (const SeedValue& s : e.seeds) values.push_back(fmt::format("{}: {:.4f}", s.seed, s.value));
  return fmt::format("{}", fmt::join(values, ", "));
}
std::string figure(const std::optional<Published>& p) {
  if (!p) return kNone;
  return p->rounding > 0.005 ? fmt::format("{:.2f}", p->value) : fmt::format("{:.3f}", p->value);
}

std::string enumerated(const std::vector<std::string>& words) {  // "a, b and c"
  if (words.size() < 2) return words.empty() ? kNone : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string split_label(const std::string& split) {
  return split == "id" ? "ID (selection data)" : split_title(split);
}

// Whether the same cell has records that are not of the plan: its row then shows what there is.
bool has_other_variant(const ResultTable& table, const ResultCell& cell) {
  return std::ranges::any_of(table.cells, [&](const ResultCell& other) {
    return !other.missing() && other.method == cell.method && other.split == cell.split &&
           same_alpha(other.alpha, cell.alpha);
  });
}

// "3 of 5 seeds" where some are missing.
std::string progress(const ResultCell& c) {
  if (c.planned == 0 || c.complete() || c.transfer.missing()) return "";
  return fmt::format("{} of {} seeds", c.transfer.summary.count, c.planned);
}

std::string result_table(const ResultTable& table) {
  std::string text = fmt::format("\n## {}, `{}` preset\n\n", benchmark_title(table.benchmark), table.preset);
  if (table.kind == Kind::pixels) text += "Mean L1 per pixel value on [0, 1]; less is better.\n\n";
  if (table.kind == Kind::real) text += "Root mean square error; less is better.\n\n";
  if (std::ranges::all_of(table.cells, &ResultCell::missing))
    return text +
           fmt::format("Not yet run: `neo reproduce {} --preset {}`.\n", table.benchmark, table.preset);
  text += header({"α", "method", "split", "transfer", "95 % t-interval", "each seed", "paper", "release", "",
                  "self-explanation", "paper"});
  for (const ResultCell& c : table.cells) {
    if (c.missing() && has_other_variant(table, c)) continue;
    text +=
        row({fmt::format("{:.2f}", c.alpha), c.title, split_label(c.split), spread(c.transfer, 4),
             interval(c.transfer), seeds(c.transfer), figure(c.paper), figure(c.release),
             c.verdict ? verdict_name(*c.verdict) : progress(c), spread(c.self, 4), figure(c.paper_self)});
  }
  return text;
}

struct Standing {
  int ahead = 0, equal = 0, behind = 0, missing = 0;
  void count(const ResultCell& cell) {
    if ((!cell.paper && !cell.release) || cell.planned == 0) return;
    if (!cell.complete())
      ++missing;
    else if (cell.verdict == Verdict::kAhead)
      ++ahead;
    else if (cell.verdict == Verdict::kEqual)
      ++equal;
    else if (cell.verdict == Verdict::kBehind)
      ++behind;
  }
};

std::string standings(const ReportTables& tables) {
  std::string text =
      "\n## Against the published figures\n\nCells of NEO and NEO-S whose whole interval is better than "
      "(ahead) or worse than (behind) the better of the paper's and the release's figure; equal: neither. A "
      "cell "
      "counts once every planned seed has been run, and as missing until then.\n\n" +
      header({"data", "preset", "method", "ahead", "equal", "behind", "missing"});
  for (const ResultTable& table : tables.results) {
    std::vector<std::pair<std::string, Standing>> standing;  // by title, in the order of the table
    for (const char* method : {"neo", "neo-s"}) {
      for (const ResultCell& cell : table.cells) {
        if (cell.method != method) continue;
        auto found = std::ranges::find(standing, cell.title, &std::pair<std::string, Standing>::first);
        if (found == standing.end()) found = standing.insert(standing.end(), {cell.title, {}});
        found->second.count(cell);
      }
    }
    for (const auto& [title, s] : standing) {
      if (s.ahead + s.equal + s.behind + s.missing == 0) continue;
      text += row({benchmark_title(table.benchmark), table.preset, title, std::to_string(s.ahead),
                   std::to_string(s.equal), std::to_string(s.behind), std::to_string(s.missing)});
    }
  }
  return text;
}

std::string paired_table(const ReportTables& tables) {
  if (tables.paired.empty()) return "";
  std::string text =
      "\n## Paired differences\n\nTransfer minus NEO's (of an ablation: minus the unchanged one's) with the "
      "same seed "
      "on the same episodes: mean over seeds, and its 95 % t-interval. Searches use NEO's own theory.\n\n" +
      header({"data", "preset", "α", "method", "seeds", "ID", "compositional OOD", "length OOD"});
  for (const PairedRow& r : tables.paired) {
    size_t count = 0;
    std::vector<std::string> shown;
    for (const char* split : {"id", "comp", "length"}) {
      const auto found = std::ranges::find(r.splits, split, &PairedRow::Split::name);
      const Summary none, &s = found == r.splits.end() ? none : found->difference;
      count = std::max(count, s.count);
      std::string cell = s.count == 0 ? kNone : fmt::format("{:+.4f}", s.mean);
      if (s.interval) cell += fmt::format(" ({:+.4f} … {:+.4f})", s.interval->low, s.interval->high);
      shown.push_back(cell);
    }
    if (count == 0) continue;
    text += row({benchmark_title(r.benchmark), r.preset, fmt::format("{:.2f}", r.alpha), r.title,
                 std::to_string(count), shown[0], shown[1], shown[2]});
  }
  return text;
}

std::string primitiveness_table(const ReportTables& tables) {
  std::string text =
      "\n## Primitiveness\n\nThe share of (input, primitive) pairs that some code maps as the primitive "
      "does; "
      "beside it the share of primitives that training shows on their own.\n\n" +
      header({"data", "preset", "α", "method", "primitiveness", "each seed", "purity", "shown alone"});
  for (const PrimitivenessRow& r : tables.primitiveness) {
    text += row({benchmark_title(r.benchmark), r.preset, fmt::format("{:.2f}", r.alpha), r.title,
                 spread(r.primitiveness, 4), seeds(r.primitiveness), spread(r.purity, 3),
                 r.shown ? fmt::format("{:.3f}", *r.shown) : kNone});
  }
  return text;
}

std::string ablation_table(const std::vector<AblationRow>& rows) {
  const AblationRow& first = rows.front();
  std::string text = fmt::format(
      "\n{}, α = {:.2f}, `{}` preset. In brackets: the paper's figure, for its own "
      "architecture.\n\n",
      benchmark_title(first.benchmark), first.alpha, first.preset);
  std::vector<std::string> head{"", "hard grounding", "primitiveness"};
  for (const auto& split : first.splits) {
    head.push_back(split_title(split.name) + " self");
    head.push_back(split_title(split.name) + " transfer");
  }
  text += header(head);
  const auto beside = [](const Estimate& e, const std::optional<double>& paper) {
    return spread(e, 3) + (paper ? fmt::format(" ({:.3f})", *paper) : "");
  };
  const auto value = [](const std::optional<Published>& p) {
    return p ? std::optional<double>(p->value) : std::nullopt;
  };
  for (const AblationRow& r : rows) {
    std::vector<std::string> cells{r.title, r.hard_grounding ? "on" : "off",
                                   beside(r.primitiveness, r.paper_primitiveness)};
    for (const auto& split : r.splits) {
      cells.push_back(beside(split.self, value(split.paper_self)));
      cells.push_back(beside(split.transfer, value(split.paper)));
    }
    text += row(cells);
  }
  return text;
}

// A table for each benchmark and preset.
std::string ablation_tables(const ReportTables& tables) {
  std::vector<std::vector<AblationRow>> groups;
  for (const AblationRow& row : tables.ablations) {
    const auto same = std::ranges::find_if(groups, [&](const auto& group) {
      return group.front().benchmark == row.benchmark && group.front().preset == row.preset;
    });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(row);
  }
  std::string text = groups.empty() ? "" : "\n## Ablations\n";
  for (const auto& group : groups) text += ablation_table(group);
  return text;
}

std::string cost_table(const ReportTables& tables) {
  std::vector<std::string> batches;
  for (const Benchmark* benchmark : benchmarks()) batches.push_back(std::to_string(benchmark->paper_batch()));
  std::string text =
      "\n## Cost\n\nWall clock. Training: median per batch and the whole run. Inference: one batch of "
      "episodes of "
      "the ID split. Mean over seeds; in brackets the paper's, on its GPU (batches of " +
      enumerated(batches) + " episodes). Ours were timed beside other jobs.\n\n" +
      header({"data", "preset", "method", "draws", "train, ms per batch", "train, seconds",
              "inference, ms per batch", "batch (train, inference)", "measured on", "paper's GPU"});
  const auto beside = [](const Estimate& e, const std::optional<double>& paper, int digits) {
    const std::string ours = e.missing() ? kNone : fmt::format("{:.{}f}", e.summary.mean, digits);
    return paper ? fmt::format("{} ({:.{}f})", ours, *paper, digits) : ours;
  };
  for (const CostRow& r : tables.cost) {
    const bool measured = !r.inference_ms.missing();
    text += row({benchmark_title(r.benchmark), r.preset, r.title, std::to_string(r.budget),
                 beside(r.train_ms, r.paper_train_ms, 1), beside(r.train_seconds, r.paper_train_seconds, 0),
                 beside(r.inference_ms, r.paper_inference_ms, 1),
                 measured ? fmt::format("{}, {}", r.train_batch, r.inference_batch) : kNone,
                 measured ? r.machine : kMissing, r.paper_machine.empty() ? kNone : r.paper_machine});
  }
  return text;
}

// Of the planned runs where there is such a record, else of others.
const ResultCell* find(const ResultTable& table, double alpha, const std::string& method,
                       const std::string& split) {
  const ResultCell* found = nullptr;
  for (const ResultCell& cell : table.cells) {
    const bool asked = same_alpha(cell.alpha, alpha) && cell.method == method && cell.split == split;
    if (asked && (!found || (found->missing() && !cell.missing()))) found = &cell;
  }
  return found;
}

// The mean, bold where it is ahead of everything published; published: the better of both.
std::vector<std::string> brief_cells(const Benchmark& benchmark, const ResultCell* cell) {
  if (cell == nullptr) return {kNone, kNone};
  const auto best = best_published(benchmark, cell->alpha, cell->method, cell->split);
  if (cell->transfer.missing()) return {kMissing, figure(best)};
  std::string mean = fmt::format("{:.3f}", cell->transfer.summary.mean);
  if (cell->verdict == Verdict::kAhead) mean = "**" + mean + "**";
  if (cell->variant.development) mean += kDagger;
  if (cell->variant.grouped) mean += " (grouped)";
  if (const std::string seeds = progress(*cell); !seeds.empty()) mean += " (" + seeds + ")";
  return {mean, figure(best)};
}

std::string error_name(Kind kind) {
  if (kind == Kind::pixels) return ", L1";
  return kind == Kind::real ? ", RMS error" : "";
}

// "on in A and B, off in C": every benchmark by its default.
std::string groundings() {
  std::vector<std::string> on, off;
  for (const Benchmark* benchmark : benchmarks())
    (default_grounding(benchmark->space().kind) ? on : off).emplace_back(benchmark->title());
  return fmt::format("on in {}, off in {}", enumerated(on), enumerated(off));
}

std::string benchmark_notes() {
  std::string text;
  for (const Benchmark* benchmark : benchmarks()) {
    for (const std::string& note : benchmark->notes()) text += "- " + note + "\n";
  }
  return text;
}

}  // namespace

ReportTables make_tables(const std::vector<Record>& records, const std::vector<Method>& methods) {
  ReportTables tables{result_tables(records, methods),
                      paired_rows(records, methods),
                      primitiveness_rows(records, methods),
                      {},
                      cost_rows(records, methods)};
  for (const Benchmark* benchmark : benchmarks()) {
    const auto rows = ablation_rows(records, *benchmark);
    tables.ablations.insert(tables.ablations.end(), rows.begin(), rows.end());
  }
  return tables;
}

std::string results_markdown(const ReportTables& tables) {
  std::string text =
      "# Results\n\n"
      "What was reproduced of the paper's tables, with which seeds and intervals, beside what was published. Made by `neo report "
      "results --markdown docs/results.md` from the records in `results/` alone, which "
      "`neo reproduce all` makes.\n\n"
      "- Mean ± sample standard deviation over the seeds, all of them listed. 95 % t-interval: Student's, of "
      "the mean "
      "over seeds; it leaves aside that episodes are finitely many, may reach beyond what is possible (1 or "
      "0), and has no width "
      "where all seeds agree. A single seed has none.\n"
      "- Reported are seeds 101 to 105 (preset `paper`: the paper's 42 to 44), each run once. " +
      std::string(kDevelopmentNote) + " They stay in the tables until the planned seeds have been run: " +
      "`neo reproduce all`.\n"
      "- Hard grounding as the benchmark has it: " +
      groundings() +
      ". NEO-S at its largest budget; every budget, and the other grounding, is in the records.\n"
      "- Checkpoints are chosen by the transfer of 1,000 ID episodes, so **ID is selection data**.\n" +
      benchmark_notes() +
      "- *paper*, *release*: the figures of the paper and of the authors' code. *missing*: no record yet. "
      "*grouped*: training knew which pairs share a program.\n";
  text += standings(tables);
  for (const ResultTable& table : tables.results) text += result_table(table);
  return text + paired_table(tables) + primitiveness_table(tables) + ablation_tables(tables) +
         cost_table(tables);
}

namespace {
// The cells of NEO in the brief tables.
template <typename Visit>
void for_each_brief_cell(const ReportTables& tables, Visit&& visit) {
  for (const ResultTable& table : tables.results) {
    const Benchmark* benchmark = find_benchmark(table.benchmark);
    if (!benchmark || table.preset != "fast") continue;
    for (const ResultCell& cell : table.cells) {
      if (cell.method == "neo" && cell.planned > 0 && cell.split != "id-clean") visit(*benchmark, table, cell);
    }
  }
}

std::string development_note() {
  return std::string("† ") + kDevelopmentNote + " The planned seeds have not been run there yet.";
}

// What marks a figure, in a letter.
std::string shortened(std::string figure) {
  for (const auto& [from, to] : {std::pair("**", ""), std::pair(" (grouped)", "g"), std::pair(" †", "†")})
    for (size_t at = figure.find(from); at != std::string::npos; at = figure.find(from)) figure.replace(at, std::strlen(from), to);
  return figure;
}
}  // namespace

std::string brief_text(const ReportTables& tables) {
  bool grouped = false;
  std::vector<std::vector<std::string>> rows{{"benchmark", "α", "split", "NEO", "published", "NEO-S", "published"}};
  for_each_brief_cell(tables, [&](const Benchmark& benchmark, const ResultTable& table, const ResultCell& cell) {
    rows.push_back({benchmark_title(table.benchmark) + error_name(table.kind), fmt::format("{:.2f}", cell.alpha), cell.split});
    grouped |= cell.variant.grouped;
    for (const char* method : {"neo", "neo-s"})
      for (const std::string& figure : brief_cells(benchmark, find(table, cell.alpha, method, cell.split)))
        rows.back().push_back(shortened(figure));
  });
  std::string text = aligned(rows, 3);
  if (grouped) text += "g: trained with groups of pairs\n";
  return text.find("†") == std::string::npos ? text : text + wrapped(development_note()) + "\n";
}

std::string brief_markdown(const ReportTables& tables) {
  std::string text = header(
      {"benchmark", "α", "split", "NEO", "published", "NEO-S / beam", "published", "Disc-Mono", "Cont-Mono"});
  for_each_brief_cell(tables, [&](const Benchmark& benchmark, const ResultTable& table, const ResultCell& cell) {
    std::vector<std::string> cells{benchmark_title(table.benchmark) + error_name(table.kind),
                                   fmt::format("{:.2f}", cell.alpha), split_title(cell.split)};
    for (const char* method : {"neo", "neo-s"}) {
      const auto pair = brief_cells(benchmark, find(table, cell.alpha, method, cell.split));
      cells.insert(cells.end(), pair.begin(), pair.end());
    }
    for (const char* method : {"disc-mono", "cont-mono"})
      cells.push_back(brief_cells(benchmark, find(table, cell.alpha, method, cell.split)).front());
    text += row(cells);
  });
  if (text.find(kDagger) != std::string::npos) text += "\n" + development_note() + "\n";
  return text;
}

void update_brief(const std::filesystem::path& file, const ReportTables& tables) {
  constexpr std::string_view kBegin = "<!-- results -->\n";
  constexpr std::string_view kEnd = "<!-- /results -->";
  std::string text = read_file(file);
  const size_t begin = text.find(kBegin);
  const size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    fail("{} lacks the lines <!-- results --> and <!-- /results -->; put them where the table shall be",
         file.string());
  const size_t from = begin + kBegin.size();
  text.replace(from, end - from, brief_markdown(tables));
  write_file_atomically(file, text);
}

}  // namespace neo
