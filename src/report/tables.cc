#include "report/tables.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace neo {
namespace {

ResultCell result_cell(const Selection& selection, double alpha, const Method& method,
                       const std::string& split, const Variant& variant) {
  ResultCell cell{.method = method.name,
                  .title = variant_title(method.title, variant),
                  .split = split,
                  .alpha = alpha,
                  .variant = variant,
                  .planned = variant.is_planned() ? selection.planned_seeds() : 0};
  const auto from = [&](std::optional<double> RecordRow::*member) {
    return estimate(selection.at(alpha, variant), [&, member](const Record& record) -> std::optional<double> {
      const RecordRow* row = headline_row(record, split, method.name);
      return row ? row->*member : std::nullopt;
    });
  };
  cell.self = from(&RecordRow::self);
  cell.transfer = from(&RecordRow::transfer);
  const Benchmark* benchmark = selection.subject.benchmark;
  if (!benchmark) return cell;
  const auto published = [&](const char* source, Measure measure) {
    return published_figure(source, *benchmark, alpha, method.name, split, measure);
  };
  cell.paper_self = published("paper", Measure::kSelf);
  cell.paper = published("paper", Measure::kTransfer);
  cell.release = published("release", Measure::kTransfer);
  const auto best = best_published(*benchmark, alpha, method.name, split);
  if (best && cell.complete() && method.name.starts_with("neo"))
    cell.verdict = compare_with(cell.transfer.summary, *best, less_is_better(selection.subject.kind));
  return cell;
}

ResultTable result_table(const Selection& selection, const std::vector<Method>& methods) {
  ResultTable table{selection.subject.name, selection.preset, selection.subject.kind, {}};
  for (double alpha : selection.alphas()) {
    for (const Method& method : shown_methods(selection, methods)) {
      for (const Variant& variant : selection.variants()) {
        for (const std::string& split : selection.splits(alpha)) {
          ResultCell cell = result_cell(selection, alpha, method, split, variant);
          const bool wanted = variant.is_planned() && selection.is_planned();
          if (wanted || !cell.missing()) table.cells.push_back(std::move(cell));
        }
      }
    }
  }
  return table;
}

PrimitivenessRow primitiveness_row(const Selection& selection, double alpha, const Method& method,
                                   const Variant& variant) {
  auto chosen = selection.at(alpha, variant);
  std::erase_if(chosen, [&](const Record* record) { return record->method != method.name; });
  const auto from = [&](const char* pointer) {
    return estimate(chosen, [&](const Record& r) { return number_at(r.json, pointer); });
  };
  const Benchmark* benchmark = selection.subject.benchmark;
  return {.benchmark = selection.subject.name,
          .preset = selection.preset,
          .method = method.name,
          .title = variant_title(method.title, variant),
          .alpha = alpha,
          .variant = variant,
          .primitiveness = from("/vocabulary/primitiveness"),
          .purity = from("/vocabulary/purity"),
          .shown = benchmark ? std::optional(benchmark->primitives_shown(alpha)) : std::nullopt};
}

// The paper has hard grounding on.
void add_published(AblationRow& row, const Benchmark& benchmark) {
  for (const auto& published : benchmark.published().at("ablations")) {
    if (published.at("ablation") != row.name) continue;
    row.paper_primitiveness = published.at("primitiveness").get<double>();
    for (auto& split : row.splits) {
      split.paper_self = Published{published.at(split.name).at(0).get<double>()};
      split.paper = Published{published.at(split.name).at(1).get<double>()};
    }
  }
}

std::set<Variant> variants_of(const std::vector<Record>& records, const Benchmark& benchmark,
                              const Ablation& ablation) {
  std::set<Variant> found{Variant{}};
  for (const Record& record : records) {
    if (is_of_ablation(record, benchmark, ablation)) found.insert(record.variant);
  }
  return found;
}

AblationRow ablation_row(const std::vector<Record>& records, const Benchmark& benchmark,
                         const Ablation& ablation, bool hard, const Variant& variant) {
  std::vector<const Record*> chosen;
  for (const Record& r : records) {
    if (is_of_ablation(r, benchmark, ablation) && r.variant == variant) chosen.push_back(&r);
  }
  AblationRow row{.name = ablation.name,
                  .title = variant_title(ablation.title, variant),
                  .benchmark = std::string(benchmark.name()),
                  .preset = ablation.preset,
                  .alpha = ablation.alpha,
                  .variant = variant,
                  .hard_grounding = hard};
  row.primitiveness =
      estimate(chosen, [](const Record& r) { return number_at(r.json, "/vocabulary/primitiveness"); });
  for (const std::string& split : benchmark.splits(ablation.alpha)) {
    const auto from = [&](std::optional<double> RecordRow::*member) {
      return estimate(chosen, [&, member](const Record& r) -> std::optional<double> {
        for (const RecordRow& candidate : r.rows) {
          if (candidate.split == split && candidate.method == "neo" && candidate.hard_grounding == hard)
            return candidate.*member;
        }
        return std::nullopt;
      });
    };
    row.splits.push_back({split, from(&RecordRow::self), from(&RecordRow::transfer), {}, {}});
  }
  if (hard) add_published(row, benchmark);
  return row;
}

}  // namespace

std::vector<ResultTable> result_tables(const std::vector<Record>& records,
                                       const std::vector<Method>& methods) {
  std::vector<ResultTable> tables;
  for (const Selection& selection : selections(records)) tables.push_back(result_table(selection, methods));
  return tables;
}

std::vector<PrimitivenessRow> primitiveness_rows(const std::vector<Record>& records,
                                                 const std::vector<Method>& methods) {
  std::vector<PrimitivenessRow> rows;
  for (const Selection& selection : selections(records)) {
    for (double alpha : selection.alphas()) {
      for (const Method& method : methods) {
        if (!method.is_trained() || method.name.starts_with("cont-")) continue;  // those have no codes
        std::vector<PrimitivenessRow> found;
        for (const Variant& variant : selection.variants()) {
          PrimitivenessRow row = primitiveness_row(selection, alpha, method, variant);
          if (!row.primitiveness.missing()) found.push_back(std::move(row));
        }
        if (found.empty() && selection.is_planned() && !selection.records.empty())
          found.push_back(primitiveness_row(selection, alpha, method, {}));
        std::ranges::move(found, std::back_inserter(rows));
      }
    }
  }
  return rows;
}

std::vector<AblationRow> ablation_rows(const std::vector<Record>& records, const Benchmark& benchmark) {
  std::vector<AblationRow> rows;
  for (bool hard : {true, false}) {
    for (const Ablation& ablation : benchmark.ablations()) {
      const auto variants = variants_of(records, benchmark, ablation);
      for (const Variant& variant : variants) {
        AblationRow row = ablation_row(records, benchmark, ablation, hard, variant);
        const bool found =
            std::ranges::any_of(row.splits, [](const auto& split) { return !split.transfer.missing(); });
        if (found || (hard && variants.size() == 1)) rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace neo
