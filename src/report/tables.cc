#include "report/tables.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "core/error.h"
#include "worlds/arithmetic/programs.h"
#include "worlds/gridworld/programs.h"
#include "worlds/imaging/programs.h"
#include "worlds/world.h"

namespace neo {
namespace {
constexpr std::array<const char*, 3> kWorlds{"gridworld", "arithmetic", "imaging"};
constexpr std::array<double, 3> kAlphas{0.33, 0.66, 1.00};
// Of this preset every run is wanted and a missing one shown as such; of others there is what was made.
constexpr const char* kWholeMatrix = "fast";

Estimate estimate(const std::vector<const Record*>& records,
                  const std::function<std::optional<double>(const Record&)>& value_of) {
  Estimate estimate;
  std::vector<double> values;
  for (const Record* record : records) {
    const auto value = value_of(*record);
    if (!value) continue;
    estimate.seeds.push_back({record->seed, *value, record->name});
    values.push_back(*value);
  }
  std::ranges::sort(estimate.seeds, {}, &SeedValue::seed);
  estimate.summary = summarize(values);
  return estimate;
}

std::vector<const Record*> select(const std::vector<Record>& records,
                                  const std::function<bool(const Record&)>& wanted) {
  std::vector<const Record*> chosen;
  for (const Record& record : records) {
    if (wanted(record)) chosen.push_back(&record);
  }
  return chosen;
}

std::vector<std::string> presets_of(const std::vector<Record>& records, const std::string& world) {
  std::vector<std::string> presets;
  for (const Record& r : records) {
    if (r.world == world && r.is_benchmark() && std::ranges::find(presets, r.preset) == presets.end())
      presets.push_back(r.preset);
  }
  return presets;
}

std::vector<std::string> splits_at(const std::string& world, double alpha) {
  if (!same_alpha(alpha, 1.0)) return {"id", "comp", "length"};
  if (world == "gridworld") return {"id", "id-clean", "length"};
  return {"id", "length"};
}

// Of a method that is not listed: a baseline with a search of its own is that baseline, sampled.
std::string title_of(const std::string& name, const std::vector<Method>& methods) {
  for (const Method& method : methods) {
    if (name == method.name + "-s") return method.title + ", sampled";
  }
  return name.starts_with("neo-") ? "NEO, " + name.substr(4) : name;
}

// The methods to show: those given, NEO-S, and whatever else the records hold.
std::vector<Method> shown_methods(const std::vector<const Record*>& records, const std::string& world,
                                  std::vector<Method> methods) {
  methods.push_back({"neo-s", "neo", less_is_better(world) ? "NEO, beam" : "NEO-S"});
  for (const Record* record : records) {
    for (const RecordRow& row : record->rows) {
      if (std::ranges::find(methods, row.method, &Method::name) == methods.end())
        methods.push_back({row.method, record->method, title_of(row.method, methods)});
    }
  }
  return methods;
}

ResultCell result_cell(const std::vector<const Record*>& records, const std::string& world, double alpha,
                       const Method& method, const std::string& split) {
  ResultCell cell{.method = method.name, .title = method.title, .split = split, .alpha = alpha};
  const auto from = [&](double RecordRow::*member) {
    return estimate(records, [&, member](const Record& record) -> std::optional<double> {
      if (!same_alpha(record.alpha, alpha)) return std::nullopt;
      const RecordRow* row = headline_row(record, split, method.name);
      if (row == nullptr) return std::nullopt;
      return row->*member;
    });
  };
  cell.self = from(&RecordRow::self);
  cell.transfer = from(&RecordRow::transfer);
  const auto published = [&](const char* source, Measure measure) {
    return published_figure(source, world, alpha, method.name, split, measure);
  };
  cell.paper_self = published("paper", Measure::kSelf);
  cell.paper = published("paper", Measure::kTransfer);
  cell.release = published("release", Measure::kTransfer);
  const auto best = best_published(world, alpha, method.name, split);
  if (best && !cell.transfer.missing() && method.name.starts_with("neo"))
    cell.verdict = judge(cell.transfer.summary, *best, less_is_better(world));
  return cell;
}

std::vector<Program> training_programs(const std::string& world, double alpha) {
  if (world == "gridworld") return split_grid_programs(alpha).train;
  if (world == "imaging") return split_imaging_programs(alpha).in_distribution;
  const auto held_out = held_out_arithmetic_programs(alpha);
  auto all = arithmetic_programs(1, 3);
  std::erase_if(
      all, [&](const Program& program) { return std::ranges::find(held_out, program) != held_out.end(); });
  return all;
}

double share_shown_alone(const std::string& world, double alpha) {
  const auto programs = training_programs(world, alpha);
  const auto single = std::ranges::count_if(programs, [](const Program& p) { return p.size() == 1; });
  return static_cast<double>(single) / static_cast<double>(world_named(world).primitives().size());
}

}  // namespace

std::optional<double> mean_training_length(const std::string& world, double alpha) {
  if (world == "arithmetic") return std::nullopt;
  const auto programs = training_programs(world, alpha);
  double total = 0;
  for (const Program& program : programs) total += static_cast<double>(program.size());
  return total / static_cast<double>(programs.size());
}

namespace {

std::optional<double> number_at(const nlohmann::json& json, const char* pointer) {
  const nlohmann::json::json_pointer path(pointer);
  if (!json.contains(path) || !json.at(path).is_number()) return std::nullopt;
  return json.at(path).get<double>();
}

}  // namespace

std::string split_title(const std::string& split) {
  if (split == "id") return "ID";
  if (split == "id-clean") return "ID, clean";
  if (split == "comp") return "compositional OOD";
  if (split == "length") return "length OOD";
  return split;
}

std::string world_title(const std::string& world) {
  if (world == "gridworld") return "GridWorld";
  if (world == "arithmetic") return "Arithmetic";
  return world == "imaging" ? "Imaging" : world;
}

std::vector<ResultTable> result_tables(const std::vector<Record>& records,
                                       const std::vector<Method>& methods) {
  std::vector<ResultTable> tables;
  for (const std::string world : kWorlds) {
    for (const std::string& preset : presets_of(records, world)) {
      const auto chosen = select(records, [&](const Record& r) {
        return r.world == world && r.preset == preset && r.is_benchmark();
      });
      ResultTable table{world, preset, {}};
      for (double alpha : kAlphas) {
        for (const Method& method : shown_methods(chosen, world, methods)) {
          for (const std::string& split : splits_at(world, alpha))
            table.cells.push_back(result_cell(chosen, world, alpha, method, split));
        }
      }
      if (preset != kWholeMatrix)
        std::erase_if(table.cells, [](const ResultCell& cell) { return cell.transfer.missing(); });
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

namespace {
PrimitivenessRow primitiveness_row(const std::vector<Record>& records, const std::string& world,
                                   const std::string& preset, double alpha, const Method& method) {
  const auto chosen = select(records, [&](const Record& r) {
    return r.world == world && r.preset == preset && r.is_benchmark() && r.method == method.name &&
           same_alpha(r.alpha, alpha);
  });
  const auto from = [&](const char* pointer) {
    return estimate(chosen, [&](const Record& r) { return number_at(r.json, pointer); });
  };
  return {world,
          preset,
          method.name,
          method.title,
          alpha,
          from("/vocabulary/primitiveness"),
          from("/vocabulary/purity"),
          share_shown_alone(world, alpha)};
}
}  // namespace

std::vector<PrimitivenessRow> primitiveness_rows(const std::vector<Record>& records,
                                                 const std::vector<Method>& methods) {
  std::vector<PrimitivenessRow> rows;
  for (const std::string world : kWorlds) {
    for (const std::string& preset : presets_of(records, world)) {
      for (double alpha : kAlphas) {
        for (const Method& method : methods) {
          if (method.is_trained() && !method.name.starts_with("cont-"))  // those have no codes
            rows.push_back(primitiveness_row(records, world, preset, alpha, method));
        }
      }
    }
  }
  std::erase_if(rows, [](const PrimitivenessRow& row) {
    return row.preset != kWholeMatrix && row.primitiveness.missing();
  });
  return rows;
}

namespace {
AblationRow ablation_row(const std::vector<Record>& records, const std::string& world,
                         const Ablation& ablation, bool hard) {
  const auto chosen = select(records, [&](const Record& r) {
    return r.world == world && r.ablation == ablation.name && same_alpha(r.alpha, ablation.alpha);
  });
  AblationRow row{.name = ablation.name,
                  .title = ablation.title,
                  .world = world,
                  .preset = ablation.preset,
                  .alpha = ablation.alpha,
                  .hard_grounding = hard};
  row.primitiveness =
      estimate(chosen, [](const Record& r) { return number_at(r.json, "/vocabulary/primitiveness"); });
  for (const std::string& split : splits_at(world, ablation.alpha)) {
    const auto from = [&](double RecordRow::*member) {
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
  if (!hard) return row;  // the paper has hard grounding on
  for (const auto& published : published_data().at("ablations")) {
    if (published.at("world") != world || published.at("ablation") != ablation.name) continue;
    row.paper_primitiveness = published.at("primitiveness").get<double>();
    for (auto& split : row.splits) {
      split.paper_self = Published{published.at(split.name).at(0).get<double>()};
      split.paper = Published{published.at(split.name).at(1).get<double>()};
    }
  }
  return row;
}
}  // namespace

std::vector<AblationRow> ablation_rows(const std::vector<Record>& records, const std::string& world,
                                       const std::vector<Ablation>& ablations) {
  std::vector<AblationRow> rows;
  for (const Ablation& ablation : ablations) rows.push_back(ablation_row(records, world, ablation, true));
  for (const Ablation& ablation : ablations) {
    AblationRow row = ablation_row(records, world, ablation, false);
    if (std::ranges::any_of(row.splits, [](const auto& split) { return !split.transfer.missing(); }))
      rows.push_back(std::move(row));
  }
  return rows;
}

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

void add_published_cost(CostRow& row) {
  for (const auto& published : published_data().at("cost")) {
    if (published.at("world") != row.world || published.at("method") != row.method ||
        published.at("budget") != row.budget)
      continue;
    row.paper_train_ms = number_at(published, "/train_ms");
    row.paper_train_seconds = number_at(published, "/train_seconds");
    row.paper_inference_ms = number_at(published, "/inference_ms");
    row.paper_machine = published.at("hardware");
  }
}

CostRow cost_row(const std::vector<const Record*>& records, const std::string& world,
                 const std::string& preset, const Method& method, int64_t budget) {
  CostRow row{
      .world = world, .preset = preset, .method = method.name, .title = method.title, .budget = budget};
  std::vector<const Record*> timed;  // those that judge by this method
  for (const Record* record : records) {
    if (inference_of(*record, method.name, budget) != nullptr) timed.push_back(record);
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
  add_published_cost(row);
  return row;
}
}  // namespace

std::vector<CostRow> cost_rows(const std::vector<Record>& records, const std::vector<Method>& methods) {
  std::vector<CostRow> rows;
  for (const std::string world : kWorlds) {
    for (const std::string& preset : presets_of(records, world)) {
      const auto chosen = select(records, [&](const Record& r) {
        return r.world == world && r.preset == preset && r.is_benchmark();
      });
      for (const Method& method : shown_methods(chosen, world, methods)) {
        std::set<int64_t> budgets;
        for (const auto& published : published_data().at("cost")) {
          if (published.at("world") == world && published.at("method") == method.name)
            budgets.insert(published.at("budget").get<int64_t>());
        }
        for (const Record* record : chosen) {
          if (!record->json.contains("timing")) continue;
          for (const auto& row : record->json.at("timing").value("inference", nlohmann::json::array())) {
            if (row.value("method", "") == method.name) budgets.insert(row.value("budget", int64_t{1}));
          }
        }
        for (int64_t budget : budgets) rows.push_back(cost_row(chosen, world, preset, method, budget));
      }
    }
  }
  return rows;
}

}  // namespace neo
