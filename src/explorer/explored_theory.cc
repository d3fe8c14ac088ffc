#include "explorer/explored_theory.h"

#include <chrono>

#include "core/config.h"
#include "eval/inspection.h"
#include "explorer/answers.h"
#include "observe/tensors.h"
#include "search/best_first.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr std::chrono::seconds kLongestSearch{3};
constexpr int64_t kSearchSlice = 32;      // executor calls between two looks at the clock
constexpr int64_t kMostImageCalls = 300;  // each visited image travels
constexpr int64_t kImageDraws = 24;       // candidates for alternatives; images are slow
constexpr int64_t kInspectedPairs = 300;  // samples behind a vocabulary
constexpr int64_t kInspectedImages = 40;
constexpr uint64_t kInspectionSeed = 1;

}  // namespace

ExploredTheory::ExploredTheory(LoadedTheory loaded, const std::string& origin) : loaded_(std::move(loaded)) {
  load_toml_text(config_, loaded_.info.settings, origin);
  if (!model().has_codes())
    fail("{} is a theory without codes; the explorer has nothing to show of it", origin);
}

std::unique_ptr<ExploredTheory> ExploredTheory::copy() const {
  std::map<std::string, TensorData> tensors;
  put_tensors(model(), "", tensors);
  LoadedTheory copied{loaded_.info, Neo(model().config(), world())};
  take_tensors(*copied.model, "", tensors, "copy");
  copied.model->observation().freeze();
  copied.model->eval();
  return std::make_unique<ExploredTheory>(std::move(copied), "copy");
}

ModelInfo ExploredTheory::info(const std::string& id) const {
  const TheoryInfo& about = loaded_.info;
  return {id,
          &world(),
          model().config().quantizer.codes,
          {{"alpha", about.alpha},
           {"preset", about.preset},
           {"seed", about.seed},
           {"step", about.step},
           {"steps", longest_program()},
           {"active", model().quantizer().active()}}};
}

// Pixels are never met exactly, and a program that may be long then uses its length to mend small things.
int64_t ExploredTheory::longest_program() const {
  return is_image() ? config_.evaluation.steps : config_.evaluation.length_steps;
}

HardExecutor& ExploredTheory::executor() {
  if (!executor_) executor_ = make_hard_executor(model());
  return *executor_;
}

Theory ExploredTheory::run(const Observation& x, const std::vector<int64_t>& codes, const Observation* y) {
  const bool hard = config_.evaluation.hard_grounding;
  return run_program(model(), x, codes, hard, y, hard ? &executor() : nullptr);
}

json ExploredTheory::explain(const ExplainRequest& request) {
  ExplainOptions options;
  options.steps = request.steps.value_or(longest_program());
  options.hard_grounding = config_.evaluation.hard_grounding;
  options.beam = is_image();  // the programmer alone is often wrong about images
  options.epsilon = request.epsilon.value_or(-1);
  options.alternatives = request.alternatives;
  if (is_image()) options.draws = kImageDraws;
  options.temperature = config_.evaluation.temperature;
  options.executor = options.hard_grounding ? &executor() : nullptr;
  const Explanation explanation = neo::explain(model(), request.x, request.y, options);
  json answer{{"explanation", to_wire(world(), explanation)}};
  if (request.overrides.empty()) return answer;
  const auto codes =
      override_steps(explanation.theory.codes, request.overrides, model().config().quantizer.codes);
  answer["counterfactual"] = to_wire(world(), run(request.x, codes, &request.y));
  return answer;
}

json ExploredTheory::transfer(const TransferRequest& request) {
  json theories = json::array();
  for (const Observation& input : request.inputs)
    theories.push_back(to_wire(world(), run(input, request.program, nullptr)));
  return {{"theories", theories}};
}

json ExploredTheory::search(const SearchRequest& request) {
  if (is_image() && request.calls > kMostImageCalls)
    fail("calls: {} is more than {}, the most for images", request.calls, kMostImageCalls);
  SearchTree tree(world(), request.x, request.y);
  const BestFirstOptions options{.depth = request.steps.value_or(longest_program()),
                                 .settle = !request.go_on};
  BestFirst search(model(), executor(), to_row(request.x), to_row(request.y), options,
                   [&](const Expansion& expansion) { tree.add(expansion); });
  const auto deadline = std::chrono::steady_clock::now() + kLongestSearch;
  for (int64_t calls = 0; calls < request.calls && (request.go_on || !tree.found());) {
    calls = std::min(calls + kSearchSlice, request.calls);
    search.run(calls);
    if (tree.calls() < calls || std::chrono::steady_clock::now() > deadline) break;
  }
  json answer = tree.to_json();
  const auto codes = best_codes(search);
  if (codes.empty()) return answer;
  answer["best"] = to_wire(
      world(), run_program(model(), request.x, codes, /*hard_grounding=*/true, &request.y, &executor()));
  return answer;
}

json ExploredTheory::vocabulary(Samples& samples) {
  std::vector<Episode> episodes;
  for (int64_t i = 0; i < kInspectedPairs; ++i)
    episodes.push_back(samples.draw(world(), 1 + i % 2, kInspectionSeed + static_cast<uint64_t>(i)));
  InspectionOptions options;
  options.hard_grounding = config_.evaluation.hard_grounding;
  options.steps = config_.evaluation.steps;
  options.executor = &executor();
  if (is_image()) options.inputs = kInspectedImages;
  options.pairs = kInspectedPairs;
  return to_wire(world(), inspect(model(), episodes_of(world(), "samples", episodes), options));
}

}  // namespace neo
