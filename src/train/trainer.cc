#include "train/trainer.h"

#include <cmath>

#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/json_lines.h"
#include "core/progress.h"
#include "model/weights.h"
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
namespace fs = std::filesystem;

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

// One training run: everything that changes from step to step, and how it goes to a checkpoint and back.
class Run {
 public:
  Run(const TrainRequest& request, const PairSet& pairs)
      : request_(request),
        config_(request.config),
        model_(seeded_model(request, *pairs.world)),
        objective_(make_objective(config_.objective)),
        batches_(pairs, config_.batch, request.seed, request.fresh),
        random_(request.seed, "codes"),
        usage_(config_.resets, config_.model.quantizer.codes),
        epoch_(std::max(config_.objective.steps, config_.objective.search_depth),
               config_.model.quantizer.codes),
        optimizer_(parameter_groups(*model_, config_.optimizer),
                   {.decay = config_.optimizer.decay, .clip = config_.optimizer.clip}),
        info_{config_.world, request.preset, pairs.alpha, request.seed, 0, pairs.digest, to_toml(config_)} {}

  int64_t step() const { return step_; }
  int64_t scheduled_step() const {
    return step_ <= hold_end() ? step_ : std::max(hold_end(), step_ - extra_);
  }
  int64_t total_steps() const { return config_.steps + extra_; }
  NeoImpl& model() { return *model_; }
  const AdamW& optimizer() const { return optimizer_; }

  StepResult advance() {
    const PairBatch batch = batches_.next();
    const auto& o = config_.objective;
    StepContext context{
        scheduled_step(),
        cosine_between(scheduled_step(), config_.steps, o.tau_start, o.tau_end, o.tau_share),
        linear_between(scheduled_step(), config_.steps, o.lambda_start, o.lambda_end, o.lambda_share),
        &usage_.shares(), &random_};
    rate_ = rate();
    optimizer_.zero_grad();
    StepResult result = objective_->compute(*model_, batch, context);
    const double loss = result.loss.item<double>();
    if (!std::isfinite(loss)) {
      fail(
          "the loss became {} at step {}; lower optimizer.rate with --set, or resume from the last "
          "checkpoint with another seed",
          loss, step_ + 1);
    }
    if (result.loss.requires_grad()) result.loss.backward();
    norm_ = optimizer_.step(rate_);
    if (!std::isfinite(norm_)) {
      fail(
          "the gradient became {} at step {}; lower optimizer.rate with --set, or resume with other settings",
          norm_, step_ + 1);
    }
    model_->bottleneck().commit();
    ++step_;
    epoch_.add(result);
    const auto& r = config_.resets;
    if (step_ == hold_end() + extra_ && usage_.solved() < r.settle && extra_ < r.patience) ++extra_;
    usage_.add(result.usage, result.solved);
    if (wakes()) {
      if (const auto code = usage_.to_reset(step_)) reset(*code);
    }
    return result;
  }

  nlohmann::json record(const StepResult& r) const {
    nlohmann::json rates;
    for (const auto& group : optimizer_.groups()) rates[group.name] = group.rate * rate_;
    return {{"step", step_},          {"loss", r.loss.item<double>()},
            {"losses", r.losses},     {"mean_length", mean_length(r.lengths)},
            {"lengths", r.lengths},   {"solved", r.solved},
            {"usage", r.usage},       {"perplexity", perplexity(r.usage)},
            {"gradient_norm", norm_}, {"rates", rates}};
  }

  bool ends_epoch() const { return batches_.pass_is_over(); }
  nlohmann::json epoch_record() { return epoch_.take(batches_.pass() + 1); }

  // Validates; keeps the theory when it is the best so far (ties to the latest).
  nlohmann::json validate(const fs::path& folder) {
    model_->eval();
    const Validation found = request_.validate(*model_);
    model_->train();
    model_->observation().eval();
    if (found.score >= best_) {
      best_ = found.score;
      save(folder / "best.safetensors");
    }
    return {{"epoch", static_cast<double>(step_) / static_cast<double>(batches_.batches_per_pass())},
            {"step", step_},
            {"score", found.score},
            {"best", best_},
            {"validation", found.record}};
  }

  void save(const fs::path& path) {
    info_.step = step_;
    save_theory(path, *model_, info_);
  }

  TensorFile checkpoint(int64_t metrics_bytes) const {
    TensorFile file;
    put_tensors(*model_, "model.", file.tensors);
    optimizer_.save(file.tensors);
    usage_.save(file.tensors);
    objective_->save(file.tensors);
    epoch_.save(file.tensors);
    const auto position = batches_.position();
    const auto words = [](const RngStream::State& s) {
      return torch::tensor(std::vector<int64_t>(s.begin(), s.end()), torch::kLong);
    };
    file.tensors["random.codes"] = to_tensor_data(words(random_.state()));
    file.tensors["random.batches"] = to_tensor_data(words(position.pass_start));
    file.tensors["counters"] = to_tensor_data(
        torch::tensor({step_, position.taken, metrics_bytes, extra_, position.pass}, torch::kLong));
    file.tensors["best"] = to_tensor_data(torch::tensor(best_, torch::kDouble));
    return file;
  }

  // Returns where the metrics file stood.
  int64_t restore(const TensorFile& file, const std::string& origin) {
    take_tensors(*model_, "model.", file.tensors, origin);
    model_->observation().freeze();  // what it had prepared was of the weights file's tensors
    optimizer_.load(file.tensors, origin);
    usage_.load(file.tensors, origin);
    objective_->load(file.tensors);
    const auto find = [&](const char* name) {
      const auto found = file.tensors.find(name);
      if (found == file.tensors.end()) fail("{} lacks '{}'; it is no checkpoint of this run", origin, name);
      return to_tensor(found->second);
    };
    epoch_.load(find("epoch.sums"), find("epoch.lengths"), find("epoch.usage"));
    const auto words = [](const torch::Tensor& t) {
      RngStream::State s;
      for (size_t i = 0; i < s.size(); ++i)
        s[i] = static_cast<uint64_t>(t[static_cast<int64_t>(i)].item<int64_t>());
      return s;
    };
    const auto counters = find("counters");
    if (counters.numel() != 5) fail("{} holds a checkpoint of another version; train it anew", origin);
    step_ = counters[0].item<int64_t>();
    extra_ = counters[3].item<int64_t>();
    random_.set_state(words(find("random.codes")));
    batches_.seek({words(find("random.batches")), counters[4].item<int64_t>(), counters[1].item<int64_t>()});
    best_ = find("best").item<double>();
    return counters[2].item<int64_t>();
  }

 private:
  // Waking and sleeping, where they follow each other, have a schedule each.
  double rate() const {
    const auto& o = config_.optimizer;
    const int64_t wake = wake_steps();
    const int64_t t = scheduled_step();
    if (t < wake) return warmup_cosine(t, wake, o.warmup, o.floor, o.hold);
    return warmup_cosine(t - wake, config_.steps - wake, o.warmup, o.floor, wake > 0 ? 0.0 : o.hold);
  }
  // Asleep, executor and codes stay as they are: a code that started afresh would stay noise.
  bool wakes() const { return wake_steps() == 0 || scheduled_step() < wake_steps(); }
  int64_t wake_steps() const { return std::min(config_.objective.wake_steps, config_.steps); }
  // Where the rate begins to fall; a run that has not explained its pairs by then stays there for a while.
  int64_t hold_end() const {
    const int64_t phase = wake_steps() > 0 ? wake_steps() : config_.steps;
    return static_cast<int64_t>(config_.optimizer.hold * static_cast<double>(phase));
  }

  void reset(int64_t code) {
    auto vector = torch::empty({config_.model.quantizer.width});
    for (int64_t i = 0; i < vector.size(0); ++i) vector[i] = 2.0 * random_.uniform() - 1.0;
    model_->quantizer().reset_code(code, vector);
    optimizer_.forget("quantizer.codebook", code);
    objective_->forget();
  }

  static Neo seeded_model(const TrainRequest& request, const World& world) {
    torch::manual_seed(request.seed);
    Neo model(request.config.model, world);
    load_observation_model(request.observation_weights, model->observation(),
                           request.config.model.observation, world);
    model->train();
    model->observation().freeze();
    return model;
  }

  const TrainRequest& request_;
  const TrainConfig& config_;
  Neo model_;
  std::unique_ptr<Objective> objective_;
  BatchStream batches_;
  RngStream random_;
  CodeUsage usage_;
  EpochSummary epoch_;
  AdamW optimizer_;
  TheoryInfo info_;
  int64_t step_ = 0;
  int64_t extra_ = 0;  // steps by which the rate was held longer than scheduled
  double best_ = -1e300;
  double rate_ = 0, norm_ = 0;
};

RunFolder open_folder(const TrainRequest& request, const PairSet& pairs) {
  if (request.resume) return RunFolder::resume(request.run);
  return RunFolder::create(
      request.run, to_toml(request.config),
      current_manifest(request.command, static_cast<int64_t>(request.seed), {{"train", pairs.digest}}));
}

}  // namespace

void train(const TrainRequest& request, const PairSet& pairs) {
  const TrainConfig& config = request.config;
  Run run(request, pairs);
  const RunFolder folder = open_folder(request, pairs);
  int64_t metrics_bytes = 0;
  if (request.resume) {
    if (const auto found = newest_checkpoint(request.run)) {
      for (const std::string& what : found->damaged)
        fmt::print(stderr, "{}; going on from step {}\n", what, found->step);
      metrics_bytes = run.restore(found->content, request.run.string());
    }
  }
  JsonLinesWriter metrics = metrics_bytes > 0
                                ? JsonLinesWriter::resume_at_byte(folder.metrics_path(), metrics_bytes)
                                : JsonLinesWriter::create(folder.metrics_path());
  // Speed differs from run to run, so it has a file of its own and metrics.jsonl stays reproducible.
  JsonLinesWriter timing =
      JsonLinesWriter::create(folder.path() / fmt::format("timing-from-{}.jsonl", run.step()));
  Progress bar("training", config.steps, progress_style(request.quiet), run.step());
  folder.set_status(RunState::kRunning, run.step());
  auto clock = std::chrono::steady_clock::now();
  int64_t clocked = run.step();
  const auto checkpoint = [&] {
    metrics.sync();
    folder.save_checkpoint(run.step(), run.checkpoint(metrics.bytes()));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
    timing.write(
        {{"step", run.step()},
         {"seconds", seconds},
         {"pairs_per_second", 2.0 * static_cast<double>(config.batch * (run.step() - clocked)) / seconds}});
    clock = std::chrono::steady_clock::now();
    clocked = run.step();
  };
  while (run.step() < run.total_steps()) {
    const StepResult result = run.advance();
    metrics.write(run.record(result));
    if (run.ends_epoch()) metrics.write(run.epoch_record());
    const bool last = run.step() == run.total_steps();
    if (run.step() % config.validate_every == 0 || last) metrics.write(run.validate(folder.path()));
    if (run.step() % config.checkpoint_every == 0 || last) checkpoint();
    bar.set_total(run.total_steps());
    bar.advance(1, fmt::format("loss {:.4f}  solved {:.3f}", result.loss.item<double>(), result.solved));
    if (interrupted()) {
      checkpoint();
      folder.set_status(RunState::kInterrupted, run.step());
      throw Error(fmt::format("interrupted at step {}; go on with: neo train --resume --out {}", run.step(),
                              request.run.string()),
                  130);
    }
  }
  bar.finish();
  run.save(folder.path() / "last.safetensors");
  folder.set_status(RunState::kFinished, run.step());
}

}  // namespace neo
