#include <algorithm>

#include "report/tables.h"

namespace neo {
namespace {

using Values = std::vector<std::pair<uint64_t, const RecordRow*>>;  // by seed

Values rows_of(const std::vector<const Record*>& records, const std::string& split,
               const std::string& method) {
  Values values;
  for (const Record* record : records) {
    const RecordRow* row = headline_row(*record, split, method);
    if (row && row->transfer) values.emplace_back(record->seed, row);
  }
  return values;
}

Summary difference(const Values& ours, const Values& theirs) {
  std::vector<double> differences;
  for (const auto& [seed, row] : ours) {
    const auto other = std::ranges::find(theirs, seed, [](const auto& value) { return value.first; });
    if (other != theirs.end() && other->second->episodes == row->episodes)
      differences.push_back(*row->transfer - *other->second->transfer);
  }
  return summarize(differences);
}

void add_row(PairedRow row, std::vector<PairedRow>& rows) {
  if (std::ranges::any_of(row.splits, [](const auto& split) { return split.difference.count > 0; }))
    rows.push_back(std::move(row));
}

std::vector<const Record*> of_ablation(const std::vector<Record>& records, const Benchmark& benchmark,
                                       const Ablation& ablation, const Variant& variant) {
  std::vector<const Record*> chosen;
  for (const Record& r : records) {
    if (is_of_ablation(r, benchmark, ablation) && r.variant == variant) chosen.push_back(&r);
  }
  return chosen;
}

// Every ablation against the first of its preset, which changes nothing.
void add_ablations(const std::vector<Record>& records, const Benchmark& benchmark,
                   std::vector<PairedRow>& rows) {
  const auto ablations = benchmark.ablations();
  for (const Ablation& ablation : ablations) {
    const auto base = std::ranges::find(ablations, ablation.preset, &Ablation::preset);
    if (base->name == ablation.name) continue;
    for (const bool development : {false, true}) {
      const Variant variant{.development = development};
      const auto ours = of_ablation(records, benchmark, ablation, variant);
      const auto theirs = of_ablation(records, benchmark, *base, variant);
      PairedRow row{.benchmark = std::string(benchmark.name()),
                    .preset = ablation.preset,
                    .title = variant_title(ablation.title, variant),
                    .alpha = ablation.alpha};
      for (const std::string& split : benchmark.splits(ablation.alpha))
        row.splits.push_back({split, difference(rows_of(ours, split, "neo"), rows_of(theirs, split, "neo"))});
      add_row(std::move(row), rows);
    }
  }
}

}  // namespace

std::vector<PairedRow> paired_rows(const std::vector<Record>& records, const std::vector<Method>& methods) {
  std::vector<PairedRow> rows;
  for (const Selection& selection : selections(records)) {
    for (double alpha : selection.alphas()) {
      for (const Method& method : shown_methods(selection, methods)) {
        if (method.name == "neo") continue;
        for (const Variant& variant : selection.variants()) {
          const auto at = selection.at(alpha, variant);
          PairedRow row{.benchmark = selection.subject.name,
                        .preset = selection.preset,
                        .title = variant_title(method.title, variant),
                        .alpha = alpha};
          for (const std::string& split : selection.splits(alpha))
            row.splits.push_back(
                {split, difference(rows_of(at, split, method.name), rows_of(at, split, "neo"))});
          add_row(std::move(row), rows);
        }
      }
    }
  }
  for (const Benchmark* benchmark : benchmarks()) add_ablations(records, *benchmark, rows);
  return rows;
}

}  // namespace neo
