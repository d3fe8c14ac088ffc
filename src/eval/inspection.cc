#include "eval/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "eval/effect.h"
#include "observe/tensors.h"

namespace neo {
namespace {

constexpr int64_t kMostBytes = 256 << 20;  // of observations that pairs of codes lead to

// As many inputs as wanted and as memory allows.
int64_t inputs_for(int64_t wanted, int64_t available, int64_t codes, int64_t size) {
  const int64_t fit = kMostBytes / std::max<int64_t>(1, codes * codes * size);
  return std::min({wanted, available, std::max<int64_t>(fit, 8)});
}

void append(std::vector<uint8_t>& to, const torch::Tensor& rows) {
  const auto plain = rows.contiguous();
  to.insert(to.end(), plain.data_ptr<uint8_t>(), plain.data_ptr<uint8_t>() + plain.numel());
}

// Pixels as the observation model has them: what it cannot draw is no code's doing.
torch::Tensor as_seen(NeoImpl& model, const torch::Tensor& inputs) {
  auto& observation = model.observation();
  if (observation.readout().is_categorical()) return inputs;
  return observation.readout().harden(observation.decode(observation.encode(inputs)));
}

Behaviours behaviours_of(NeoImpl& model, HardExecutor& executor, const torch::Tensor& inputs) {
  const auto codes = model.quantizer().active();
  Behaviours out{.codes = static_cast<int64_t>(codes.size()),
                 .inputs = inputs.size(0),
                 .size = inputs.size(1),
                 .categorical = model.observation().readout().is_categorical()};
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
std::vector<int64_t> telling_inputs(const World& world, const Behaviours& b) {
  std::vector<std::pair<int64_t, int64_t>> shows(static_cast<size_t>(b.inputs));
  std::vector<int64_t> order(static_cast<size_t>(b.inputs));
  for (int64_t i = 0; i < b.inputs; ++i) {
    const Observation before = observation_at(b.before, i, b.size);
    auto& [applying, changing] = shows[static_cast<size_t>(i)];
    for (size_t p = 0; p < world.primitives().size(); ++p)
      applying += world.apply(static_cast<int>(p), before).has_value();
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

std::vector<CodeReport> reports_of(NeoImpl& model, const Vocabulary& vocabulary, const Behaviours& b,
                                   const Relations& relations, const InspectionOptions& options) {
  std::vector<CodeReport> reports;
  const auto inputs = telling_inputs(model.world(), b);
  for (int64_t code : model.quantizer().active()) {
    const auto at = static_cast<int64_t>(reports.size());
    CodeReport report{.code = code, .unchanged = relations.unchanged[static_cast<size_t>(at)]};
    name_primitive(vocabulary, report);
    const auto changes = changes_of(b, at, inputs);
    report.name = report.agreement >= options.share ? report.primitive
                  : report.unchanged >= options.share
                      ? "no-op"
                      : describe_effect(model.world(), changes, options.share);
    if (report.name.empty()) report.name = fmt::format("z{}", code);
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
void count_usage(NeoImpl& model, const EpisodeSet& episodes, const InspectionOptions& options,
                 HardExecutor& executor, Inspection& out) {
  out.pairs = std::min(options.pairs, episodes.size());
  if (out.pairs == 0) return;
  const auto x = episodes.support_x.narrow(0, 0, out.pairs);
  const auto y = episodes.support_y.narrow(0, 0, out.pairs);
  RolloutOptions rollout{options.steps, options.hard_grounding};
  if (options.hard_grounding) rollout.executor = &executor;
  const Trajectory t = induce(model, x, y, rollout);
  const auto lengths = explanation_lengths(t, Fallback::mdl, 1.0);
  const auto codes = t.codes.accessor<int64_t, 2>();
  std::map<int64_t, int64_t> steps, programs;
  for (int64_t i = 0; i < out.pairs; ++i) {
    std::set<int64_t> used;
    for (int64_t k = 0; k < lengths[i].item<int64_t>(); ++k) {
      ++steps[codes[i][k]];
      used.insert(codes[i][k]);
    }
    for (int64_t code : used) ++programs[code];
  }
  const auto total = lengths.sum().item<double>();
  for (CodeReport& report : out.codes) {
    report.usage = static_cast<double>(steps[report.code]) / total;
    report.programs = static_cast<double>(programs[report.code]) / static_cast<double>(out.pairs);
  }
  out.mean_length = total / static_cast<double>(out.pairs);
  const auto last = (lengths - 1).unsqueeze(1);
  const auto judged = model.observation().readout().is_categorical()
                          ? t.exact.gather(1, last).to(torch::kDouble)
                          : t.losses.gather(1, last).to(torch::kDouble);
  out.self = judged.mean().item<double>();
}

nlohmann::json to_json(const std::vector<CodeRelation>& relations) {
  nlohmann::json list = nlohmann::json::array();
  for (const CodeRelation& r : relations)
    list.push_back({{"code", r.code}, {"others", r.others}, {"share", r.share}});
  return list;
}

nlohmann::json to_json(const CodeReport& r) {
  nlohmann::json examples = nlohmann::json::array();
  for (const auto& [before, after] : r.examples) examples.push_back({{"before", before}, {"after", after}});
  return {{"code", r.code},           {"name", r.name},           {"primitive", r.primitive},
          {"agreement", r.agreement}, {"unchanged", r.unchanged}, {"usage", r.usage},
          {"programs", r.programs},   {"examples", examples}};
}

}  // namespace

nlohmann::json to_json(const Inspection& i) {
  nlohmann::json codes = nlohmann::json::array();
  for (const CodeReport& report : i.codes) codes.push_back(to_json(report));
  return {{"codes", codes},
          {"no_ops", i.relations.no_ops},
          {"duplicates", to_json(i.relations.duplicates)},
          {"inverses", to_json(i.relations.inverses)},
          {"commuting", to_json(i.relations.commuting)},
          {"composites", to_json(i.relations.composites)},
          {"vocabulary", to_json(i.vocabulary)},
          {"inputs", i.inputs},
          {"pairs", i.pairs},
          {"self", i.self},
          {"mean_length", i.mean_length}};
}

Inspection inspect(NeoImpl& model, const EpisodeSet& episodes, const InspectionOptions& options) {
  torch::NoGradGuard no_grad;
  const auto codes = model.quantizer().active();
  const auto own = options.executor ? nullptr : make_hard_executor(model);
  HardExecutor& executor = options.executor ? *options.executor : *own;
  Inspection out;
  out.vocabulary = inspect_vocabulary(
      model, episodes.support_x.narrow(0, 0, std::min(options.vocabulary_inputs, episodes.size())),
      &executor);
  out.inputs = inputs_for(options.inputs, episodes.size(), static_cast<int64_t>(codes.size()),
                          episodes.support_x.size(1));
  const Behaviours behaviours =
      behaviours_of(model, executor, as_seen(model, episodes.support_x.narrow(0, 0, out.inputs)));
  out.relations = find_relations(behaviours, options.share);
  out.codes = reports_of(model, out.vocabulary, behaviours, out.relations, options);
  renumber(out.relations, codes);
  count_usage(model, episodes, options, executor, out);
  return out;
}

}  // namespace neo
