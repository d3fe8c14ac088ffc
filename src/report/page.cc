#include "report/page.h"

#include "core/embedded.h"
#include "core/error.h"
#include "core/version.h"

namespace neo {
namespace {
using nlohmann::json;

json to_json(const Estimate& e) {
  if (e.missing()) return nullptr;
  json seeds = json::array();
  for (const SeedValue& s : e.seeds) seeds.push_back({{"seed", s.seed}, {"value", s.value}, {"run", s.run}});
  // Of a single seed no interval is known; figures then draw none.
  const Interval interval = e.summary.interval.value_or(Interval{e.summary.mean, e.summary.mean});
  return {{"seeds", seeds},
          {"mean", e.summary.mean},
          {"deviation", e.summary.deviation},
          {"low", interval.low},
          {"high", interval.high}};
}
json to_json(const std::optional<Published>& p) { return p ? json(p->value) : json(nullptr); }
json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

// The page has a name of its own for grouped runs; whatever else sets a variant apart is part of the
// method's.
Variant ungrouped(Variant variant) {
  variant.grouped = false;
  return variant;
}

json to_json(const ResultTable& table) {
  json cells = json::array();
  for (const ResultCell& c : table.cells) {
    cells.push_back({{"alpha", c.alpha},
                     {"method", variant_title(c.method, ungrouped(c.variant))},
                     {"title", c.title},
                     {"split", c.split},
                     {"grouped", c.variant.grouped},
                     {"self", to_json(c.self)},
                     {"transfer", to_json(c.transfer)},
                     {"paper_self", to_json(c.paper_self)},
                     {"paper", to_json(c.paper)},
                     {"release", to_json(c.release)},
                     {"verdict", c.verdict ? json(verdict_name(*c.verdict)) : json(nullptr)}});
  }
  return {{"benchmark", table.benchmark},
          {"preset", table.preset},
          {"less_is_better", less_is_better(table.kind)},
          {"cells", cells}};
}

json to_json(const PrimitivenessRow& r) {
  return {{"benchmark", r.benchmark},
          {"preset", r.preset},
          {"method", r.method},
          {"title", r.title},
          {"alpha", r.alpha},
          {"grouped", r.variant.grouped},
          {"primitiveness", to_json(r.primitiveness)},
          {"purity", to_json(r.purity)},
          {"shown", to_json(r.shown)}};
}

json to_json(const AblationRow& r) {
  json splits = json::array();
  for (const auto& s : r.splits) {
    splits.push_back({{"split", s.name},
                      {"self", to_json(s.self)},
                      {"transfer", to_json(s.transfer)},
                      {"paper_self", to_json(s.paper_self)},
                      {"paper", to_json(s.paper)}});
  }
  return {{"name", r.name},
          {"title", r.title},
          {"benchmark", r.benchmark},
          {"preset", r.preset},
          {"alpha", r.alpha},
          {"grouped", r.variant.grouped},
          {"hard_grounding", r.hard_grounding},
          {"primitiveness", to_json(r.primitiveness)},
          {"paper_primitiveness", to_json(r.paper_primitiveness)},
          {"splits", splits}};
}

json to_json(const CostRow& r) {
  return {{"benchmark", r.benchmark},
          {"preset", r.preset},
          {"method", r.method},
          {"title", r.title},
          {"grouped", r.variant.grouped},
          {"budget", r.budget},
          {"train_ms", to_json(r.train_ms)},
          {"train_seconds", to_json(r.train_seconds)},
          {"inference_ms", to_json(r.inference_ms)},
          {"train_batch", r.train_batch},
          {"inference_batch", r.inference_batch},
          {"machine", r.machine},
          {"paper_train_ms", to_json(r.paper_train_ms)},
          {"paper_train_seconds", to_json(r.paper_train_seconds)},
          {"paper_inference_ms", to_json(r.paper_inference_ms)},
          {"paper_machine", r.paper_machine}};
}

// Without what no figure shows.
json to_json(const Record& r) {
  json rows = json::array();
  for (const RecordRow& row : r.rows) {
    rows.push_back({{"split", row.split},
                    {"method", row.method},
                    {"temperature", row.temperature},
                    {"budget", row.budget},
                    {"calls", row.calls},
                    {"hard_grounding", row.hard_grounding},
                    {"self", to_json(row.self)},
                    {"transfer", to_json(row.transfer)},
                    {"mean_length", row.mean_length}});
  }
  json record{{"name", r.name},     {"benchmark", r.benchmark}, {"preset", r.preset},
              {"method", r.method}, {"ablation", r.ablation},   {"purpose", r.purpose},
              {"alpha", r.alpha},   {"seed", r.seed},           {"grouped", r.variant.grouped},
              {"rows", rows},         {"settings", r.variant.settings}};
  for (const char* key : {"space", "vocabulary", "training", "examples"}) {
    if (r.json.contains(key)) record[key] = r.json.at(key);
  }
  if (r.json.contains("manifest")) record["revision"] = r.json.at("manifest").value("git_revision", "");
  return record;
}

template <typename T>
json list(const std::vector<T>& items) {
  json array = json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

json training_lengths(const std::vector<PrimitivenessRow>& rows) {
  json list = json::array();
  for (const PrimitivenessRow& row : rows) {
    const Benchmark* benchmark = find_benchmark(row.benchmark);
    const auto length = benchmark ? benchmark->mean_training_length(row.alpha) : std::nullopt;
    if (length && row.method == "neo" && row.variant.is_planned())
      list.push_back({{"benchmark", row.benchmark}, {"alpha", row.alpha}, {"mean_length", *length}});
  }
  return list;
}

// What the page must know of a benchmark to name and draw it.
json known_benchmarks() {
  json list = json::array();
  for (const Benchmark* benchmark : benchmarks()) {
    const Space& space = benchmark->space();
    auto notes = benchmark->notes();
    notes.push_back(kDevelopmentNote);
    list.push_back({{"name", benchmark->name()},
                    {"title", benchmark->title()},
                    {"space", to_json(space)},
                    {"less_is_better", less_is_better(space.kind)},
                    {"hard_grounding", default_grounding(space.kind)},
                    {"paper", benchmark->published().value("paper", json::object())},
                    {"notes", notes}});
  }
  return list;
}

}  // namespace

json report_data(const std::vector<Record>& records, const ReportTables& tables, const std::vector<json>& learned) {
  return {{"version", version()},
          {"benchmarks", known_benchmarks()},
          {"training_lengths", training_lengths(tables.primitiveness)},
          {"results", list(tables.results)},
          {"primitiveness", list(tables.primitiveness)},
          {"ablations", list(tables.ablations)},
          {"cost", list(tables.cost)},
          {"records", list(records)},
          {"learned", learned}};
}

std::string report_page(const json& data) {
  constexpr std::string_view kPlaceholder = "\"neo-report-data\"";
  std::string page(embedded_file("report.html"));
  const size_t at = page.find(kPlaceholder);
  if (at == std::string::npos) throw std::logic_error("report.html has no place for its data");
  // Inside a script element only "</script" and "<!--" could end or confuse it; both begin with "<".
  std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  for (size_t found = text.find('<'); found != std::string::npos; found = text.find('<', found + 1))
    text.replace(found, 1, "\\u003c");
  return page.replace(at, kPlaceholder.size(), text);
}

}  // namespace neo
