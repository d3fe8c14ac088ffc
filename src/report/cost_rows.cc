#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "report/tables.h"

namespace neo {
namespace {

const nlohmann::json* inference_of(const Record& record, const std::string& method, int64_t budget) {
  const auto timing = record.json.find("timing");
  if (timing == record.json.end() || !timing->contains("inference")) return nullptr;
  for (const auto& row : timing->at("inference")) {
    if (row.value("method", "") == method && row.value("budget", int64_t{1}) == budget) return &row;
  }
  return nullptr;
}

std::string machine_of(const Record& record) {
  const auto timing = record.json.value("timing", nlohmann::json::object());
  if (!timing.contains("processor")) return "";
  return fmt::format("{}, {} thread{}", timing.value("processor", ""), timing.value("threads", 0),
                     timing.value("threads", 0) == 1 ? "" : "s");
}

void add_published(CostRow& row, const Benchmark& benchmark) {
  for (const auto& published : benchmark.published().at("cost")) {
    if (published.at("method") != row.method || published.at("budget") != row.budget) continue;
    row.paper_train_ms = number_at(published, "/train_ms");
    row.paper_train_seconds = number_at(published, "/train_seconds");
    row.paper_inference_ms = number_at(published, "/inference_ms");
    row.paper_machine = published.at("hardware");
  }
}

// Of the paper's table and of the records.
std::set<int64_t> budgets_of(const Selection& selection, const std::string& method) {
  std::set<int64_t> budgets;
  const auto add = [&](const nlohmann::json& rows) {
    for (const auto& row : rows) {
      if (row.value("method", "") == method) budgets.insert(row.value("budget", int64_t{1}));
    }
  };
  if (selection.subject.benchmark) add(selection.subject.benchmark->published().at("cost"));
  for (const Record* record : selection.records) {
    if (record->json.contains("timing"))
      add(record->json.at("timing").value("inference", nlohmann::json::array()));
  }
  return budgets;
}

CostRow cost_row(const Selection& selection, const Method& method, int64_t budget, const Variant& variant) {
  CostRow row{.benchmark = selection.subject.name,
              .preset = selection.preset,
              .method = method.name,
              .title = variant_title(method.title, variant),
              .variant = variant,
              .budget = budget};
  std::vector<const Record*> timed;  // those that evaluate this method
  for (const Record* record : selection.records) {
    if (record->variant == variant && inference_of(*record, method.name, budget)) timed.push_back(record);
  }
  row.inference_ms = estimate(timed, [&](const Record& r) {
    return number_at(*inference_of(r, method.name, budget), "/ms_per_batch");
  });
  if (method.is_trained()) {
    row.train_ms =
        estimate(timed, [](const Record& r) { return number_at(r.json, "/timing/training/ms_per_batch"); });
    row.train_seconds =
        estimate(timed, [](const Record& r) { return number_at(r.json, "/timing/training/seconds"); });
  }
  if (!timed.empty()) {
    const Record& first = *timed.front();
    row.machine = machine_of(first);
    row.inference_batch = inference_of(first, method.name, budget)->value("batch", int64_t{0});
    row.train_batch = static_cast<int64_t>(number_at(first.json, "/timing/training/batch").value_or(0));
  }
  if (selection.subject.benchmark) add_published(row, *selection.subject.benchmark);
  return row;
}

}  // namespace

std::vector<CostRow> cost_rows(const std::vector<Record>& records, const std::vector<Method>& methods) {
  std::vector<CostRow> rows;
  for (const Selection& selection : selections(records)) {
    for (const Method& method : shown_methods(selection, methods)) {
      for (int64_t budget : budgets_of(selection, method.name)) {
        std::vector<CostRow> found;
        for (const Variant& variant : selection.variants()) {
          CostRow row = cost_row(selection, method, budget, variant);
          if (!row.inference_ms.missing()) found.push_back(std::move(row));
        }
        if (found.empty() && !selection.records.empty())
          found.push_back(cost_row(selection, method, budget, {}));
        std::ranges::move(found, std::back_inserter(rows));
      }
    }
  }
  return rows;
}

}  // namespace neo
