#include "explorer/explored_theory.h"

#include <algorithm>
#include <chrono>

#include "benchmark/split_files.h"
#include "core/config.h"
#include "core/error.h"
#include "explorer/answers.h"
#include "observe/tensors.h"

namespace neo {
namespace {
using nlohmann::json;
constexpr std::chrono::seconds kLongestSearch{3};
constexpr int64_t kSearchSlice = 32;       // executor calls between two looks at the clock
constexpr int64_t kMostInexactCalls = 300;  // every visited observation travels, and none is ever met
constexpr int64_t kMostDraws = 256;        // candidates for alternatives, whatever the policy: a page waits
constexpr int64_t kMostInexactDraws = 24;  // pixels are slow
constexpr int64_t kInspectedPairs = 300;   // samples behind a vocabulary
constexpr int64_t kInspectedInexact = 40;
constexpr uint64_t kInspectionSeed = 1;
constexpr int64_t kStrengthSamples = 12, kStrengthLength = 3;  // fractions of a second when the server starts
}  // namespace

ExploredTheory::ExploredTheory(Theory theory, const std::string& origin) : theory_(std::move(theory)) {
  if (!theory_.has_codes())
    fail("{} is a theory without codes; the explorer has nothing to show of it", origin);
}

std::unique_ptr<ExploredTheory> ExploredTheory::copy() const {
  return std::make_unique<ExploredTheory>(theory_.copy(), "copy");
}

ModelInfo ExploredTheory::info(const std::string& id) const {
  const TheoryInfo& about = theory_.info();
  return {id,
          theory_.space(),
          about.benchmark,
          theory_.codes(),
          {{"alpha", about.alpha},
           {"preset", about.preset},
           {"seed", about.seed},
           {"step", about.step},
           {"steps", about.policy.steps},
           {"active", theory_.model().quantizer().active()},
           {"policy", to_json(about.policy)},
           {"names", about.names}}};
}

std::optional<ExamplePair> ExploredTheory::example(uint64_t seed) const {
  const auto& examples = theory_.info().examples;
  if (examples.empty()) return std::nullopt;
  const size_t at = seed % examples.size();
  ExamplePair pair{examples[at].x, examples[at].y, {}, {}};
  for (size_t other = 0; other < examples.size() && !pair.query; ++other) {
    if (other != at && examples[at].group >= 0 && examples[other].group == examples[at].group)
      pair.query = {examples[other].x, examples[other].y};
  }
  return pair;
}

Strength ExploredTheory::strength() const {
  const Benchmark* benchmark = theory_.benchmark();
  if (!benchmark) return {};
  Strength strength{theory_.info().benchmark, theory_.info().alpha, 0};
  for (int64_t i = 0; i < kStrengthSamples; ++i) {
    const Episode e = benchmark->sample(1 + i % std::min(kStrengthLength, benchmark->longest_sample()),
                                        static_cast<uint64_t>(i), Benchmark::Inputs::display);
    const auto codes = theory_.explain(e.support_x, e.support_y, theory_.policy(), {.alternatives = 0}).run.codes;
    const Observation predicted = theory_.run(codes, e.query_x).trace.back();
    strength.error += difference(theory_.space(), predicted, e.query_y) / static_cast<double>(kStrengthSamples);
  }
  return strength;
}

json ExploredTheory::to_wire(const ProgramRun& run) const {
  return to_json(run, [this](ObservationView o) { return theory_.view().text(o); });
}

// How far from y its own drawing is: no state can be drawn much nearer.
double ExploredTheory::floor(const Observation& y) const {
  if (is_exact()) return 0;
  const torch::NoGradGuard no_grad;
  ObservationModel& observation = theory_.model().observation();
  const auto drawn = observation.decode(observation.encode(to_rows(theory_.space(), y)));
  return difference(theory_.space(), to_observation(observation.readout().harden(drawn)[0]), y);
}

json ExploredTheory::explain(const ExplainRequest& request) {
  Policy policy = theory_.policy();
  policy.steps = request.steps.value_or(policy.steps);
  policy.tolerance = request.tolerance.value_or(policy.tolerance);
  policy.draws = std::min(policy.draws, is_exact() ? kMostDraws : kMostInexactDraws);
  const Explanation explanation = theory_.explain(request.x, request.y, policy, {.alternatives = request.alternatives});
  json answer{{"explanation",
               to_json(explanation, [this](ObservationView o) { return theory_.view().text(o); })},
              {"floor", floor(request.y)}};
  if (!request.overrides.empty()) {
    const auto codes = override_steps(explanation.run.codes, request.overrides, theory_.codes());
    answer["counterfactual"] = to_wire(theory_.run(codes, request.x, &request.y, policy));
  }
  return answer;
}

json ExploredTheory::transfer(const TransferRequest& request) {
  json runs = json::array();
  for (const Observation& input : request.inputs) runs.push_back(to_wire(theory_.run(request.program, input)));
  return {{"runs", runs}};
}

json ExploredTheory::search(const SearchRequest& request) {
  if (!is_exact() && request.calls > kMostInexactCalls)
    fail("calls: {} is more than {}, the most for this theory", request.calls, kMostInexactCalls);
  SearchTree tree(theory_.view(), request.x, request.y, theory_.policy().tolerance);
  const Space& space = theory_.space();
  const BestFirstOptions options{.depth = request.steps.value_or(theory_.policy().steps),
                                 .stop_early = !request.exhaust_calls};
  BestFirst search(theory_.model(), theory_.executor(), to_rows(space, request.x), to_rows(space, request.y), options,
                   [&](const Expansion& expansion) { tree.add(expansion); });
  const auto deadline = std::chrono::steady_clock::now() + kLongestSearch;
  for (int64_t calls = 0; calls < request.calls && (request.exhaust_calls || !tree.found());) {
    calls = std::min(calls + kSearchSlice, request.calls);
    search.run(calls);
    if (request.is_abandoned()) throw ApiError(499, "the client has gone");
    if (tree.calls() < calls || std::chrono::steady_clock::now() > deadline) break;
  }
  json answer = tree.to_json();
  const auto codes = best_codes(search);
  if (codes.empty()) return answer;
  Policy hard = theory_.policy();
  hard.hard_grounding = true;  // as the search runs them
  answer["best"] =
      to_wire(run_program(theory_.model(), request.x, codes, hard, &request.y, &theory_.executor()));
  return answer;
}

Pairs ExploredTheory::sample_pairs() const {
  const Benchmark* benchmark = theory_.benchmark();
  if (!benchmark) return to_pairs("examples", theory_.space(), theory_.info().examples);
  std::vector<Pair> pairs;
  for (int64_t i = 0; i < kInspectedPairs; ++i)
    pairs.push_back(pairs_of(*benchmark,
                             benchmark->sample(1 + i % 2, kInspectionSeed + static_cast<uint64_t>(i),
                                               Benchmark::Inputs::display),
                             -1)
                        .first);
  return to_pairs("samples", theory_.space(), pairs);
}

json ExploredTheory::vocabulary() {
  const Pairs pairs = sample_pairs();
  if (pairs.size() == 0) fail("this theory keeps no examples to try its codes on; learn it again");
  InspectionOptions options;
  if (!is_exact()) options.inputs = kInspectedInexact;
  options.pairs = kInspectedPairs;
  const Inspection i = theory_.vocabulary(pairs, options);
  json answer = to_json(i, [this](ObservationView o) { return theory_.view().text(o); });
  answer["primitives"] = i.vocabulary.primitives;
  answer["alignment"] = i.vocabulary.alignment;
  answer["primitiveness"] = i.vocabulary.primitiveness;
  answer["purity"] = i.vocabulary.purity;
  for (const char* extra : {"vocabulary", "self", "mean_length"}) answer.erase(extra);
  return answer;
}

}  // namespace neo
