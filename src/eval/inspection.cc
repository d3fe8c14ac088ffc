#include "eval/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "observe/tensors.h"

namespace neo {
namespace {

constexpr int64_t kMostBytes = 256 << 20;  // of observations that pairs of codes lead to
constexpr int64_t kPairsAtOnce = 128;

// As many inputs as wanted and as memory allows.
int64_t inputs_for(int64_t wanted, int64_t available, int64_t codes, int64_t size) {
  const int64_t fit = kMostBytes / std::max<int64_t>(1, codes * codes * size);
  return std::min({wanted, available, std::max<int64_t>(fit, 8)});
}

void append(std::vector<uint8_t>& to, const torch::Tensor& rows) {
  const Observation bytes = to_observation(rows);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Pixels by mean L1 on [0, 1], real numbers by root mean square in units of their spread; none for
// categories.
std::function<double(const uint8_t*, const uint8_t*)> distance_of(NeoImpl& model) {
  const Space& space = model.space();
  if (space.is_categorical()) return {};
  const auto bytes = static_cast<size_t>(space.bytes());
  return [space, bytes, readout = model.observation().readout()](const uint8_t* a, const uint8_t* b) {
    if (space.kind == Kind::pixels) {
      int64_t total = 0;
      for (size_t i = 0; i < bytes; ++i) total += std::abs(a[i] - b[i]);
      return static_cast<double>(total) / (255.0 * static_cast<double>(bytes));
    }
    return readout.error(to_rows(space, {a, bytes}), to_rows(space, {b, bytes})).item<double>();
  };
}

// Pixels and real numbers as the observation model has them: what it cannot represent is no code's doing.
torch::Tensor reconstructed(NeoImpl& model, const torch::Tensor& inputs) {
  auto& observation = model.observation();
  if (observation.readout().is_categorical()) return inputs;
  return observation.readout().harden(observation.decode(observation.encode(inputs)));
}

Behaviours behaviours_of(NeoImpl& model, HardExecutor& executor, const torch::Tensor& inputs) {
  const auto codes = model.quantizer().active();
  Behaviours out{.codes = static_cast<int64_t>(codes.size()),
                 .inputs = inputs.size(0),
                 .size = model.space().bytes(),
                 .distance = distance_of(model)};
  const auto run = [&](const torch::Tensor& from, int64_t code) {
    return executor.next(from, torch::full({from.size(0)}, code, torch::kLong));
  };
  append(out.before, inputs);
  for (int64_t first : codes) {
    const auto once = run(inputs, first);
    append(out.after, once);
    for (int64_t second : codes) append(out.twice, run(once, second));
  }
  return out;
}

Observation observation_at(const std::vector<uint8_t>& all, int64_t index, int64_t size) {
  return {all.begin() + index * size, all.begin() + (index + 1) * size};
}

// Inputs that show most come first: those that the most true primitives apply to, then those that the most
// codes do something with.
std::vector<int64_t> informative_inputs(const Benchmark* benchmark, const Behaviours& b) {
  std::vector<std::pair<int64_t, int64_t>> shows(static_cast<size_t>(b.inputs));
  std::vector<int64_t> order(static_cast<size_t>(b.inputs));
  for (int64_t i = 0; i < b.inputs; ++i) {
    const Observation before = observation_at(b.before, i, b.size);
    auto& [applying, changing] = shows[static_cast<size_t>(i)];
    for (size_t p = 0; benchmark && p < benchmark->primitives().size(); ++p)
      applying += benchmark->apply(static_cast<int>(p), before).has_value();
    for (int64_t code = 0; code < b.codes; ++code)
      changing += before != observation_at(b.after, code * b.inputs + i, b.size);
  }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return shows[static_cast<size_t>(i)] > shows[static_cast<size_t>(j)];
  });
  return order;
}

std::vector<Change> changes_of(const Behaviours& b, int64_t code, const std::vector<int64_t>& inputs) {
  std::vector<Change> changes;
  for (int64_t i : inputs) {
    Change change{observation_at(b.before, i, b.size), observation_at(b.after, code * b.inputs + i, b.size)};
    if (change.first != change.second) changes.push_back(std::move(change));
  }
  return changes;
}

// The true primitive that a code acts as most often, if any.
void name_primitive(const Vocabulary& vocabulary, CodeReport& report) {
  const auto& row = vocabulary.alignment[static_cast<size_t>(report.code)];
  const auto best = std::max_element(row.begin(), row.end());
  if (best == row.end() || *best <= 0) return;
  report.primitive = vocabulary.primitives[static_cast<size_t>(best - row.begin())];
  report.agreement = *best;
}

// Its primitive, what its changes have in common, or at least how much it changes.
std::string name_of(const InspectedTheory& theory, const CodeReport& report, const std::vector<Change>& changes,
                    double share) {
  if (report.agreement >= share) return report.primitive;
  if (report.unchanged >= share || changes.empty()) return "no-op";
  const std::string effect = theory.view.describe(changes, share);
  return effect.empty() ? theory.view.extent_of(changes) : effect;
}

std::vector<CodeReport> reports_of(const InspectedTheory& theory, const Vocabulary& vocabulary,
                                   const Behaviours& b, const Relations& relations,
                                   const InspectionOptions& options) {
  std::vector<CodeReport> reports;
  const auto inputs = informative_inputs(theory.benchmark, b);
  for (int64_t code : theory.model.quantizer().active()) {
    const auto at = static_cast<int64_t>(reports.size());
    CodeReport report{.code = code, .unchanged = relations.unchanged[static_cast<size_t>(at)]};
    name_primitive(vocabulary, report);
    const auto changes = changes_of(b, at, inputs);
    report.name = name_of(theory, report, changes, options.share);
    for (size_t i = 0; i < std::min(changes.size(), static_cast<size_t>(options.examples)); ++i)
      report.examples.push_back({changes[i].first, changes[i].second});
    reports.push_back(std::move(report));
  }
  return reports;
}

// From positions among the active codes to their numbers.
void renumber(Relations& relations, const std::vector<int64_t>& codes) {
  const auto number = [&](int64_t& at) { at = codes[static_cast<size_t>(at)]; };
  for (int64_t& code : relations.no_ops) number(code);
  for (auto* list :
       {&relations.duplicates, &relations.inverses, &relations.commuting, &relations.composites}) {
    for (CodeRelation& relation : *list) {
      number(relation.code);
      for (int64_t& other : relation.others) number(other);
    }
  }
}

// How often explanations of the episodes' support pairs use each code.
void count_usage(const InspectedTheory& theory, const Episodes& episodes, const InspectionOptions& options,
                 HardExecutor& executor, Inspection& out) {
  const auto x = evenly_spread(episodes.support_x, options.pairs),
             y = evenly_spread(episodes.support_y, options.pairs);
  out.pairs = x.size(0);
  if (out.pairs == 0) return;
  std::map<int64_t, int64_t> steps, programs;
  double total = 0, total_score = 0;
  const Readout readout = theory.model.observation().readout();
  for (int64_t begin = 0; begin < out.pairs; begin += kPairsAtOnce) {
    const int64_t count = std::min(kPairsAtOnce, out.pairs - begin);
    const auto goals = y.narrow(0, begin, count);
    const Explanations found =
        explain_pairs(theory.model, x.narrow(0, begin, count), goals, theory.policy, &executor);
    const auto codes = found.programs.codes.accessor<int64_t, 2>();
    for (int64_t i = 0; i < count; ++i) {
      std::set<int64_t> used;
      for (int64_t k = 0; k < found.programs.lengths[i].item<int64_t>(); ++k) {
        ++steps[codes[i][k]];
        used.insert(codes[i][k]);
      }
      for (int64_t code : used) ++programs[code];
    }
    total += found.programs.lengths.sum().item<double>();
    total_score +=
        (readout.is_categorical() ? found.exact.to(torch::kDouble) : readout.error(found.ends, goals))
            .sum()
            .item<double>();
  }
  for (CodeReport& report : out.codes) {
    report.usage = static_cast<double>(steps[report.code]) / total;
    report.programs = static_cast<double>(programs[report.code]) / static_cast<double>(out.pairs);
  }
  out.mean_length = total / static_cast<double>(out.pairs);
  out.self = total_score / static_cast<double>(out.pairs);
}

nlohmann::json to_json(const std::vector<CodeRelation>& relations) {
  nlohmann::json list = nlohmann::json::array();
  for (const CodeRelation& r : relations)
    list.push_back({{"code", r.code}, {"others", r.others}, {"share", r.share}});
  return list;
}

nlohmann::json to_json(const CodeReport& r, const WriteObservation& write) {
  nlohmann::json examples = nlohmann::json::array();
  for (const auto& [before, after] : r.examples)
    examples.push_back({{"before", write(before)}, {"after", write(after)}});
  return {{"code", r.code},           {"name", r.name},           {"primitive", r.primitive},
          {"agreement", r.agreement}, {"unchanged", r.unchanged}, {"usage", r.usage},
          {"programs", r.programs},   {"examples", examples}};
}

// What the codes do to inputs and how they relate; `out.vocabulary` is known already.
void report_codes(const InspectedTheory& theory, const torch::Tensor& inputs, HardExecutor& executor,
                  const InspectionOptions& options, Inspection& out) {
  const auto codes = theory.model.quantizer().active();
  out.inputs = inputs_for(options.inputs, inputs.size(0), static_cast<int64_t>(codes.size()), theory.model.space().bytes());
  const Behaviours behaviours =
      behaviours_of(theory.model, executor, reconstructed(theory.model, evenly_spread(inputs, out.inputs)));
  out.relations = find_relations(behaviours, options.share);
  out.codes = reports_of(theory, out.vocabulary, behaviours, out.relations, options);
  renumber(out.relations, codes);
}

}  // namespace

nlohmann::json to_json(const Inspection& i, const WriteObservation& write) {
  nlohmann::json codes = nlohmann::json::array();
  for (const CodeReport& report : i.codes) codes.push_back(to_json(report, write));
  return {{"codes", codes},
          {"relations",
           {{"no_ops", i.relations.no_ops},
            {"duplicates", to_json(i.relations.duplicates)},
            {"inverses", to_json(i.relations.inverses)},
            {"commuting", to_json(i.relations.commuting)},
            {"composites", to_json(i.relations.composites)}}},
          {"vocabulary", to_json(i.vocabulary)},
          {"inputs", i.inputs},
          {"pairs", i.pairs},
          {"self", i.self},
          {"mean_length", i.mean_length}};
}

Inspection inspect(const InspectedTheory& theory, const Episodes& episodes,
                   const InspectionOptions& options) {
  torch::NoGradGuard no_grad;
  NeoImpl& model = theory.model;
  const auto own = options.executor ? nullptr : make_hard_executor(model);
  HardExecutor& executor = options.executor ? *options.executor : *own;
  Inspection out;
  const bool named = !theory.benchmark && !episodes.programs.empty();
  out.vocabulary =
      named ? vocabulary_of_named_pairs(model, episodes, &executor)
            : inspect_vocabulary(model, evenly_spread(episodes.support_x, options.vocabulary_inputs),
                                 theory.benchmark, &executor);
  report_codes(theory, episodes.support_x, executor, options, out);
  count_usage(theory, episodes, options, executor, out);
  return out;
}

std::vector<std::string> name_codes(const InspectedTheory& theory, const torch::Tensor& inputs) {
  torch::NoGradGuard no_grad;
  std::vector<std::string> names(static_cast<size_t>(theory.model.quantizer().config().codes));
  if (inputs.size(0) == 0) return names;
  const auto executor = make_hard_executor(theory.model);
  Inspection out{.vocabulary = inspect_vocabulary(theory.model, inputs, theory.benchmark, executor.get())};
  report_codes(theory, inputs, *executor, {.inputs = inputs.size(0), .examples = 0}, out);
  for (const CodeReport& report : out.codes) names[static_cast<size_t>(report.code)] = report.name;
  return names;
}

}  // namespace neo
