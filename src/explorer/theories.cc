#include "explorer/theories.h"

#include <mutex>
#include <set>

#include "core/config.h"
#include "eval/inspection.h"
#include "explain/explain.h"
#include "explorer/answers.h"
#include "model/weights.h"
#include "observe/tensors.h"
#include "search/best_first.h"
#include "train/config.h"

namespace neo {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{5};       // of a request for its turn
constexpr std::chrono::seconds kLongestSearch{3};  // in all
constexpr int64_t kSearchSlice = 32;               // executor calls between two looks at the clock
constexpr int64_t kMostImageCalls = 300;           // each visited image travels
constexpr int64_t kImageDraws = 24;                // candidates for alternatives; images are slow
constexpr int64_t kFreshExecutor = 500;            // turns until what an executor remembers is forgotten
constexpr int64_t kInspected = 300;                // sample pairs behind a vocabulary
constexpr uint64_t kInspectionSeed = 1;

}  // namespace

// One theory, its settings, and what may be kept between requests.
class Theories::Opened {
 public:
  Opened(LoadedTheory loaded, const std::string& origin) : loaded_(std::move(loaded)) {
    load_toml_text(config_, loaded_.info.settings, origin);
    if (!loaded_.model->has_codes())
      fail("{} is a theory without codes; the explorer has nothing to show of it", origin);
  }
  // The same theory with caches and turns of its own.
  std::unique_ptr<Opened> copy() const {
    std::map<std::string, TensorData> tensors;
    put_tensors(*loaded_.model, "", tensors);
    LoadedTheory copied{loaded_.info, Neo(loaded_.model->config(), loaded_.model->world())};
    take_tensors(*copied.model, "", tensors, "copy");
    copied.model->observation().freeze();
    copied.model->eval();
    return std::make_unique<Opened>(std::move(copied), "copy");
  }

  NeoImpl& model() { return *loaded_.model; }
  const World& world() { return model().world(); }
  bool is_image() { return !model().observation().readout().is_categorical(); }
  const TheoryInfo& about() const { return loaded_.info; }
  const EvaluationConfig& evaluation() const { return config_.evaluation; }
  // Pixels are never met exactly, and a program that may be long then uses its length to mend small things.
  int64_t longest() { return is_image() ? evaluation().steps : evaluation().length_steps; }
  HardExecutor& executor() {
    if (!executor_) executor_ = make_hard_executor(model());
    return *executor_;
  }

  // The theory is the caller's until the lock goes.
  std::unique_lock<std::timed_mutex> turn() {
    // Requests come on threads of their own; without this each would start OpenMP threads of its own.
    thread_local const bool single = (torch::set_num_threads(1), true);
    (void)single;
    std::unique_lock lock(mutex_, kPatience);
    if (!lock) throw ApiError(503, "the theory is busy with other requests; try again in a moment");
    if (++turns_ % kFreshExecutor == 0) executor_.reset();
    return lock;
  }

  std::mutex vocabulary_mutex;
  json vocabulary;  // null until somebody asked

 private:
  LoadedTheory loaded_;
  TrainConfig config_;
  std::unique_ptr<HardExecutor> executor_;
  int64_t turns_ = 0;
  std::timed_mutex mutex_;
};

std::vector<TheoryFile> named_theories(const std::vector<fs::path>& paths) {
  std::vector<TheoryFile> files;
  std::set<std::string> taken;
  for (const fs::path& path : paths) {
    const bool folder = fs::is_directory(path);
    const fs::path clean = fs::absolute(path).lexically_normal();
    std::string name = folder ? (clean.has_filename() ? clean : clean.parent_path()).filename().string()
                              : clean.stem().string();
    for (int copy = 2; taken.count(name) > 0; ++copy)
      name = fmt::format("{} ({})", clean.stem().string(), copy);
    taken.insert(name);
    files.push_back({name, folder ? path / "best.safetensors" : path});
  }
  return files;
}

Theories::Theories(const std::vector<TheoryFile>& files, Samples& samples) : samples_(samples) {
  for (const TheoryFile& file : files) {
    auto opened = std::make_unique<Opened>(load_theory(file.path), file.path.string());
    const TheoryInfo& about = opened->about();
    infos_.push_back({file.id,
                      &opened->world(),
                      opened->model().config().quantizer.codes,
                      {{"alpha", about.alpha},
                       {"preset", about.preset},
                       {"seed", about.seed},
                       {"step", about.step},
                       {"steps", opened->longest()},
                       {"active", opened->model().quantizer().active()}}});
    theories_.push_back(std::move(opened));
  }
}

Theories::~Theories() = default;

Theories::Opened& Theories::find(const std::string& model) {
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].id == model) return *theories_[i];
  }
  throw ApiError(404, fmt::format("there is no model '{}'", model));
}

json Theories::explain(const ExplainRequest& request) {
  Opened& theory = find(request.model);
  const auto turn = theory.turn();
  ExplainOptions options;
  options.steps = request.steps.value_or(theory.longest());
  options.hard_grounding = theory.evaluation().hard_grounding;
  options.beam = theory.is_image();  // the programmer alone is often wrong about images
  options.epsilon = request.epsilon.value_or(-1);
  options.alternatives = request.alternatives;
  if (theory.is_image()) options.draws = kImageDraws;
  options.temperature = theory.evaluation().temperature;
  options.executor = options.hard_grounding ? &theory.executor() : nullptr;
  const Explanation explanation = neo::explain(theory.model(), request.x, request.y, options);
  json answer{{"explanation", to_wire(theory.world(), explanation)}};
  if (request.overrides.empty()) return answer;
  const auto codes =
      override_steps(explanation.theory.codes, request.overrides, theory.model().config().quantizer.codes);
  answer["counterfactual"] = to_wire(
      theory.world(),
      run_program(theory.model(), request.x, codes, options.hard_grounding, &request.y, options.executor));
  return answer;
}

json Theories::transfer(const TransferRequest& request) {
  Opened& theory = find(request.model);
  const auto turn = theory.turn();
  const bool hard = theory.evaluation().hard_grounding;
  json theories = json::array();
  for (const Observation& input : request.inputs)
    theories.push_back(to_wire(theory.world(), run_program(theory.model(), input, request.program, hard,
                                                           nullptr, hard ? &theory.executor() : nullptr)));
  return {{"theories", theories}};
}

json Theories::search(const SearchRequest& request) {
  Opened& theory = find(request.model);
  const auto turn = theory.turn();
  if (theory.is_image() && request.calls > kMostImageCalls)
    fail("calls: {} is more than {}, the most for images", request.calls, kMostImageCalls);
  SearchTree tree(theory.world(), request.x, request.y);
  const BestFirstOptions options{.depth = request.steps.value_or(theory.longest()), .settle = !request.go_on};
  BestFirst search(theory.model(), theory.executor(), to_row(request.x), to_row(request.y), options,
                   [&](const Expansion& expansion) { tree.add(expansion); });
  const auto deadline = std::chrono::steady_clock::now() + kLongestSearch;
  for (int64_t calls = 0; calls < request.calls && (request.go_on || !tree.found());) {
    calls = std::min(calls + kSearchSlice, request.calls);
    search.run(calls);
    if (tree.calls() < calls || std::chrono::steady_clock::now() > deadline) break;
  }
  json answer = tree.to_json();
  const auto codes = best_codes(search);
  if (!codes.empty())
    answer["best"] =
        to_wire(theory.world(), run_program(theory.model(), request.x, codes, /*hard_grounding=*/true,
                                            &request.y, &theory.executor()));
  return answer;
}

// Takes seconds, so it is done with a copy of the theory: explanations go on meanwhile.
json Theories::vocabulary(const std::string& model) {
  Opened& shared = find(model);
  const std::scoped_lock lock(shared.vocabulary_mutex);
  if (!shared.vocabulary.is_null()) return shared.vocabulary;
  const auto copied = shared.copy();
  Opened& theory = *copied;
  const auto turn = theory.turn();
  std::vector<Episode> episodes;
  for (int64_t i = 0; i < kInspected; ++i)
    episodes.push_back(samples_.draw(theory.world(), 1 + i % 2, kInspectionSeed + static_cast<uint64_t>(i)));
  InspectionOptions options;
  options.hard_grounding = theory.evaluation().hard_grounding;
  options.steps = theory.evaluation().steps;
  options.executor = &theory.executor();
  if (theory.is_image()) options.inputs = 40;
  options.pairs = kInspected;
  const Inspection inspection =
      inspect(theory.model(), episodes_of(theory.world(), "samples", episodes), options);
  return shared.vocabulary = to_wire(theory.world(), inspection);
}

}  // namespace neo
