#include "train/trainer.h"

#include <cmath>
#include <optional>

#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/json_lines.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/run_folder.h"
#include "kernels/instructions.h"
#include "kernels/precision.h"
#include "model/weights.h"
#include "train/events.h"
#include "train/objective.h"
#include "train/resets.h"
#include "train/schedule.h"

namespace neo {

std::vector<AdamW::Group> parameter_groups(NeoImpl& model, const OptimizerConfig& c) {
  const auto group = [&](const std::string& name, torch::nn::Module& module, double scale) {
    AdamW::Group g{name, c.rate * scale, {}};
    for (auto& item : module.named_parameters()) {
      if (item.value().requires_grad()) g.parameters.emplace_back(name + "." + item.key(), item.value());
    }
    return g;
  };
  return {group("programmer", model.programmer(), c.programmer_scale),
          group("executor", model.executor(), c.executor_scale),
          group("quantizer", model.bottleneck(), c.codebook_scale)};
}

namespace {

constexpr double kNothingValidated = -1e300;

double perplexity(const std::vector<int64_t>& usage) {
  double total = 0, entropy = 0;
  for (int64_t count : usage) total += static_cast<double>(count);
  for (int64_t count : usage) {
    if (count > 0)
      entropy -= static_cast<double>(count) / total * std::log(static_cast<double>(count) / total);
  }
  return std::exp(entropy);
}

double mean_length(const std::vector<int64_t>& histogram) {
  double total = 0, sum = 0;
  for (size_t i = 0; i < histogram.size(); ++i) {
    total += static_cast<double>(histogram[i]);
    sum += static_cast<double>(histogram[i]) * static_cast<double>(i + 1);
  }
  return total > 0 ? sum / total : 0;
}

torch::Tensor words_of(const RngStream::State& s) {
  return torch::tensor(std::vector<int64_t>(s.begin(), s.end()), torch::kLong);
}

RngStream::State state_of(const torch::Tensor& words) {
  RngStream::State s;
  for (size_t i = 0; i < s.size(); ++i)
    s[i] = static_cast<uint64_t>(words[static_cast<int64_t>(i)].item<int64_t>());
  return s;
}

// Settings that only some observations allow.
void check_space_allows(const TrainConfig& config, const Space& space) {
  if (config.objective == "wake-sleep" && config.wake_sleep.dream_shift > 0 && space.layout != Layout::number)
    fail_usage("wake_sleep.dream_shift moves the digits of numbers; set it to 0 for a {}", describe(space));
}

Neo seeded_model(const TrainRequest& request, const Space& space) {
  require(precision_named(request.config.precision));
  check_space_allows(request.config, space);
  torch::manual_seed(request.seed);
  Neo model(request.config.model, space);
  request.prepare_observation(model->observation());
  model->train();
  model->observation().freeze();
  if (request.prepare_executor) request.prepare_executor(*model);
  return model;
}

}  // namespace

namespace internal {

// The mean of a pass over the data, step by step.
class EpochSummary {
 public:
  EpochSummary(int64_t lengths, int64_t codes)
      : lengths_(static_cast<size_t>(lengths), 0), usage_(static_cast<size_t>(codes), 0) {}
  void add(const StepResult& r) {
    ++steps_;
    loss_ += r.loss.item<double>();
    solved_ += r.solved;
    for (size_t i = 0; i < lengths_.size() && i < r.lengths.size(); ++i) lengths_[i] += r.lengths[i];
    for (size_t i = 0; i < usage_.size(); ++i) usage_[i] += r.usage[i];
  }
  nlohmann::json take(int64_t epoch) {
    const auto n = static_cast<double>(std::max<int64_t>(steps_, 1));
    nlohmann::json record{{"epoch", epoch},         {"steps", steps_},
                          {"mean_loss", loss_ / n}, {"mean_solved", solved_ / n},
                          {"lengths", lengths_},    {"mean_length", mean_length(lengths_)},
                          {"usage", usage_},        {"perplexity", perplexity(usage_)}};
    *this = EpochSummary(static_cast<int64_t>(lengths_.size()), static_cast<int64_t>(usage_.size()));
    return record;
  }
  void save(std::map<std::string, TensorData>& out) const {
    out["epoch.sums"] =
        to_tensor_data(torch::tensor({static_cast<double>(steps_), loss_, solved_}, torch::kDouble));
    out["epoch.lengths"] = to_tensor_data(torch::tensor(lengths_, torch::kLong));
    out["epoch.usage"] = to_tensor_data(torch::tensor(usage_, torch::kLong));
  }
  void load(const torch::Tensor& sums, const torch::Tensor& lengths, const torch::Tensor& usage) {
    steps_ = static_cast<int64_t>(sums[0].item<double>());
    loss_ = sums[1].item<double>();
    solved_ = sums[2].item<double>();
    for (size_t i = 0; i < lengths_.size(); ++i)
      lengths_[i] = lengths[static_cast<int64_t>(i)].item<int64_t>();
    for (size_t i = 0; i < usage_.size(); ++i) usage_[i] = usage[static_cast<int64_t>(i)].item<int64_t>();
  }

 private:
  int64_t steps_ = 0;
  double loss_ = 0, solved_ = 0;
  std::vector<int64_t> lengths_, usage_;
};

}  // namespace internal

// Everything that changes from step to step, and how it goes to a checkpoint and back.
struct Training::State {
  State(const TrainRequest& r, const Pairs& pairs)
      : config(r.config),
        model(seeded_model(r, pairs.space)),
        objective(make_objective(config)),
        batches(pairs, {config.batch, r.seed, config.grouped}, r.fresh),
        random(r.seed, "codes"),
        usage(config.resets, config.model.quantizer.codes),
        epoch(objective->longest_program(), config.model.quantizer.codes),
        optimizer(parameter_groups(*model, config.optimizer),
                  {.decay = config.optimizer.decay, .clip = config.optimizer.clip}) {}

  int64_t wake_steps() const { return std::min(objective->wake_steps(), config.steps); }
  // Where the rate begins to fall; a run that has not explained its pairs by then stays there for a while.
  int64_t hold_end() const {
    const int64_t phase = wake_steps() > 0 ? wake_steps() : config.steps;
    return static_cast<int64_t>(config.optimizer.hold * static_cast<double>(phase));
  }
  int64_t scheduled_step() const {
    if (extra < 0) return step - extra;  // part of the schedule was skipped
    return step <= hold_end() ? step : std::max(hold_end(), step - extra);
  }
  // Waking and sleeping, where they follow each other, have a schedule each.
  double rate() const {
    const auto& o = config.optimizer;
    const int64_t wake = wake_steps();
    const int64_t t = scheduled_step();
    if (t < wake) return warmup_cosine(t, wake, o.warmup, o.floor, o.hold);
    return warmup_cosine(t - wake, config.steps - wake, o.warmup, o.floor, wake > 0 ? 0.0 : o.hold);
  }
  // Asleep, executor and codes stay as they are: a code that is re-initialised would stay noise.
  bool wakes() const { return wake_steps() == 0 || scheduled_step() < wake_steps(); }

  Edit reinitialisation(int64_t code) {
    auto vector = torch::empty({config.model.quantizer.width});
    for (int64_t i = 0; i < vector.size(0); ++i) vector[i] = 2.0 * random.uniform() - 1.0;
    return {.kind = Edit::Kind::reinitialise, .code = code, .vector = vector};
  }

  void apply(const std::vector<Edit>& edits) {
    for (const Edit& edit : edits) {
      apply_edit(*model, optimizer, edit);
      objective->edited(edit);
    }
  }

  StepResult minimise() {
    optimizer.zero_grad();
    StepResult result = objective->compute(*model, batches.next(),
                                           {scheduled_step(), config.steps, &usage.shares(), &random});
    const double loss = result.loss.item<double>();
    if (!std::isfinite(loss))
      fail(
          "the loss became {} at step {}; lower optimizer.rate with --set, or resume from the last "
          "checkpoint with another seed",
          loss, step + 1);
    if (result.loss.requires_grad()) result.loss.backward();
    norm = optimizer.step(rate_now);
    if (!std::isfinite(norm))
      fail(
          "the gradient became {} at step {}; lower optimizer.rate with --set, or resume with other settings",
          norm, step + 1);
    model->bottleneck().commit();
    return result;
  }

  StepResult advance() {
    rate_now = rate();
    StepResult result = minimise();
    apply(result.edits);
    ++step;
    epoch.add(result);
    const auto& r = config.resets;
    if (step == hold_end() + extra && usage.solved() < r.hold_until_solved && extra < r.patience) ++extra;
    usage.add(result.usage, result.solved);
    if (extra == 0 && step >= r.start && step < hold_end() && usage.solved() >= r.skip_when_solved)
      extra = step - hold_end();
    if (wakes()) {
      if (const auto code = usage.to_reset(step)) apply({reinitialisation(*code)});
    }
    return result;
  }

  nlohmann::json record(const StepResult& r) const {
    nlohmann::json rates;
    for (const auto& group : optimizer.groups()) rates[group.name] = group.rate * rate_now;
    return {{"step", step},          {"loss", r.loss.item<double>()},
            {"losses", r.losses},    {"mean_length", mean_length(r.lengths)},
            {"lengths", r.lengths},  {"solved", r.solved},
            {"usage", r.usage},      {"perplexity", perplexity(r.usage)},
            {"gradient_norm", norm}, {"rates", rates}};
  }

  void save(std::map<std::string, TensorData>& out) const {
    put_tensors(*model, "model.", out);
    optimizer.save(out);
    usage.save(out);
    objective->save(out);
    epoch.save(out);
    const auto position = batches.position();
    out["random.codes"] = to_tensor_data(words_of(random.state()));
    out["random.batches"] = to_tensor_data(words_of(position.pass_start));
    const auto count = [&](const char* name, int64_t value) {
      out[std::string("count.") + name] = to_tensor_data(torch::tensor(value, torch::kLong));
    };
    count("step", step);
    count("extra", extra);
    count("pass", position.pass);
    count("taken", position.taken);
  }

  void load(const std::map<std::string, TensorData>& in, const std::string& origin) {
    const auto find = [&](const std::string& name) {
      const auto found = in.find(name);
      if (found == in.end()) fail("{} lacks '{}'; it is no checkpoint of this run", origin, name);
      return to_tensor(found->second);
    };
    take_tensors(*model, "model.", in, origin);
    model->observation().freeze();  // what it had prepared was of other tensors
    optimizer.load(in, origin);
    usage.load(in, origin);
    objective->load(in);
    epoch.load(find("epoch.sums"), find("epoch.lengths"), find("epoch.usage"));
    step = find("count.step").item<int64_t>();
    extra = find("count.extra").item<int64_t>();
    random.set_state(state_of(find("random.codes")));
    batches.seek({state_of(find("random.batches")), find("count.pass").item<int64_t>(),
                  find("count.taken").item<int64_t>()});
  }

  TrainConfig config;
  Neo model;
  std::unique_ptr<Objective> objective;
  BatchStream batches;
  RngStream random;
  CodeUsage usage;
  internal::EpochSummary epoch;
  AdamW optimizer;
  int64_t step = 0;
  int64_t extra = 0;  // steps by which the rate was held longer than scheduled; below 0: shorter
  double rate_now = 0, norm = 0;
};

Training::Training(const TrainRequest& request, const Pairs& pairs)
    : state_(std::make_unique<State>(request, pairs)) {}
Training::~Training() = default;
int64_t Training::step() const { return state_->step; }
int64_t Training::total_steps() const { return state_->config.steps + state_->extra; }
NeoImpl& Training::model() { return *state_->model; }

Training::Step Training::advance() {
  const ScopedPrecision scope(precision_named(state_->config.precision));
  const StepResult result = state_->advance();
  return {result.loss.item<double>(), result.solved, state_->record(result)};
}

// A training in its folder.
class TrainingRun {
 public:
  TrainingRun(const TrainRequest& request, const Pairs& pairs)
      : request_(request),
        training_(request, pairs),
        state_(*training_.state_),
        folder_(request.resume ? RunFolder::resume(request.run)
                               : RunFolder::create(request.run, to_toml(request.config), manifest(pairs))),
        metrics_(open_metrics()),
        timing_(JsonLinesWriter::create(folder_.path() / fmt::format("timing-from-{}.jsonl", state_.step))),
        pairs_digest_(pairs.digest),
        benchmark_(pairs.benchmark),
        alpha_(pairs.alpha) {
    if (!request.tensorboard) return;
    events_.emplace(folder_.path() / "tensorboard");
    events_->add_text("settings", state_.step, "```toml\n" + to_toml(request.config) + "```");
  }

  void run() {
    Progress bar("training", request_.config.steps, progress_style(request_.quiet), state_.step);
    folder_.set_status(RunState::kRunning, state_.step);
    start_clock();
    while (state_.step < training_.total_steps()) {
      const Training::Step step = training_.advance();
      record(step.record);
      if (state_.batches.pass_is_over()) record(state_.epoch.take(state_.batches.pass() + 1));
      const bool last = state_.step == training_.total_steps();
      if (state_.step % request_.config.validate_every == 0 || last) record(validate());
      if (state_.step % request_.config.checkpoint_every == 0 || last) checkpoint();
      bar.set_total(training_.total_steps());
      bar.advance(1, progress_note(step));
      if (interrupted()) stop();
    }
    bar.finish();
    save("last.safetensors");
    folder_.set_status(RunState::kFinished, state_.step);
  }

 private:
  std::string progress_note(const Training::Step& step) const {
    const int64_t most = request_.config.resets.patience - state_.extra;
    if (state_.extra > 0 && state_.step <= state_.hold_end() + state_.extra)
      return fmt::format("extended: {:.0f} % explained, at most {} more", 100 * step.solved, most);
    return fmt::format("loss {:.4f}  explained {:.1f} %", step.loss, 100 * step.solved);
  }

  RunManifest manifest(const Pairs& pairs) const {
    RunManifest m =
        current_manifest(request_.command, static_cast<int64_t>(request_.seed), {{"train", pairs.digest}});
    m.options = request_.options;
    const bool rounds = precision_named(request_.config.precision) == Precision::bf16;
    m.instructions = std::string(name_of(instructions())) + (rounds ? "-bf16" : "");
    return m;
  }

  JsonLinesWriter open_metrics() {
    const auto found = request_.resume ? newest_checkpoint(request_.run) : std::nullopt;
    if (!found) return JsonLinesWriter::create(folder_.metrics_path());
    for (const std::string& what : found->damaged)
      fmt::print(stderr, "{}; resuming from step {}\n", what, found->step);
    const auto& tensors = found->content.tensors;
    const std::string origin = request_.run.string();
    state_.load(tensors, origin);
    const auto value = [&](const char* name) {
      const auto entry = tensors.find(name);
      if (entry == tensors.end()) fail("{} lacks '{}'; it is no checkpoint of this run", origin, name);
      return to_tensor(entry->second);
    };
    best_ = value("best").item<double>();
    return JsonLinesWriter::resume_at_byte(folder_.metrics_path(),
                                           value("count.metrics_bytes").item<int64_t>());
  }

  void record(const nlohmann::json& entry) {
    metrics_.write(entry);
    if (events_) add_record(*events_, entry, state_.step);
  }

  void draw() {
    if (!events_ || !request_.draw) return;
    const ModelPicture picture = request_.draw(*state_.model);
    if (picture.png.empty()) return;
    events_->add_picture("vocabulary", state_.step, picture.png, picture.width, picture.height);
  }

  // Validates; keeps the theory when it is the best so far (ties to the latest).
  nlohmann::json validate() {
    NeoImpl& model = *state_.model;
    model.eval();
    const Validation found = request_.validate(model);
    draw();
    model.train();
    model.observation().eval();
    if (found.score >= best_) {
      best_ = found.score;
      save("best.safetensors");
    }
    return {
        {"epoch", static_cast<double>(state_.step) / static_cast<double>(state_.batches.batches_per_pass())},
        {"step", state_.step},
        {"score", found.score},
        {"best", best_},
        {"validation", found.record}};
  }

  void save(const char* name) {
    save_theory(folder_.path() / name, *state_.model,
                {.benchmark = benchmark_,
                 .source = request_.source,
                 .preset = request_.preset,
                 .alpha = alpha_,
                 .grouped = request_.config.grouped,
                 .seed = request_.seed,
                 .step = state_.step,
                 .data_digest = pairs_digest_,
                 .settings = to_toml(request_.config),
                 .policy = request_.config.policy,
                 .names = {},
                 .examples = request_.examples});
  }

  void checkpoint() {
    metrics_.sync();
    TensorFile file;
    state_.save(file.tensors);
    file.tensors["count.metrics_bytes"] = to_tensor_data(torch::tensor(metrics_.bytes(), torch::kLong));
    file.tensors["best"] = to_tensor_data(torch::tensor(best_, torch::kDouble));
    folder_.save_checkpoint(state_.step, file);
    // Speed differs from run to run, so it has a file of its own and metrics.jsonl stays reproducible.
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_).count();
    timing_.write({{"step", state_.step},
                   {"seconds", seconds},
                   {"pairs_per_second",
                    static_cast<double>(request_.config.batch * (state_.step - clocked_)) / seconds}});
    start_clock();
  }

  void start_clock() {
    clock_ = std::chrono::steady_clock::now();
    clocked_ = state_.step;
  }

  [[noreturn]] void stop() {
    checkpoint();
    if (best_ == kNothingValidated) save("best.safetensors");  // so that the run holds a theory; validation replaces it
    folder_.set_status(RunState::kInterrupted, state_.step);
    throw Error(fmt::format("interrupted at step {}; resume with: neo train --resume --out {}", state_.step,
                            request_.run.string()),
                130);
  }

  const TrainRequest& request_;
  Training training_;
  Training::State& state_;
  RunFolder folder_;
  double best_ = kNothingValidated;
  JsonLinesWriter metrics_, timing_;
  std::optional<EventFile> events_;
  std::string pairs_digest_, benchmark_;
  double alpha_;
  std::chrono::steady_clock::time_point clock_;
  int64_t clocked_ = 0;
};

void train(const TrainRequest& request, const Pairs& pairs) {
  check_training_memory(request.config, pairs.space, available_memory());
  TrainingRun(request, pairs).run();
}

}  // namespace neo
