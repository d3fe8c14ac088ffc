#include "rollout/rollout.h"

#include <functional>

#include "core/error.h"

namespace neo {
namespace {

// Programs in execution: their current states, hard or latent, and the result of each step.
class Execution {
 public:
  Execution(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const RolloutOptions& options)
      : model_(model), y_(y.defined() ? y : x), options_(options) {
    trajectory_.observations.push_back(x);
    if (options.hard_grounding && model.has_codes()) {
      if (!options.executor) own_executor_ = make_hard_executor(model);
      executor_ = options.executor ? options.executor : own_executor_.get();
    } else {
      executor_ = options.executor;
    }
    if (!executor_) state_ = model.observation().encode(x);
  }

  // The programmer's encoding of the current state of each row.
  torch::Tensor encoded_state() {
    auto& programmer = model_.programmer();
    return executor_
               ? programmer.encode_state_observation(model_.observation(), trajectory_.observations.back())
               : programmer.encode_state(state_);
  }
  const torch::Tensor& state() const { return state_; }  // latent; undefined on hard observations

  // One step of the rows in `running`; the others stay. Undefined: all rows run.
  void step(const Latent& chosen, const torch::Tensor& running) {
    const auto& from = trajectory_.observations.back();
    const auto rows = [&](const torch::Tensor& t) {
      return running.defined() && t.defined() ? t.index_select(0, running) : t;
    };
    Reading reading;
    if (executor_) {
      const auto inputs = rows(from);
      reading = executor_->step({inputs, rows(y_), torch::arange(inputs.size(0)), rows(chosen.codes), {}});
    } else {
      auto& observation = model_.observation();
      auto next = model_.executor().forward(rows(state_), rows(chosen.vectors));
      reading = observation.readout().read(observation.decode(next), rows(y_));
      if (options_.hard_grounding) next = observation.encode(reading.hard);
      state_ = running.defined() ? state_.index_copy(0, running, next) : next;
    }
    if (running.defined()) {
      reading.hard = from.index_copy(0, running, reading.hard);
      const auto whole = [&](const torch::Tensor& part) {
        return torch::zeros({from.size(0)}, part.options()).index_copy_(0, running, part);
      };
      reading.loss = whole(reading.loss);
      reading.self_loss = whole(reading.self_loss);
      reading.exact = whole(reading.exact);
    }
    codes_.push_back(chosen.codes);
    vectors_.push_back(chosen.vectors);
    losses_.push_back(reading.loss);
    self_losses_.push_back(reading.self_loss);
    exact_.push_back(reading.exact);
    trajectory_.observations.push_back(reading.hard);
  }

  void note_probability(const torch::Tensor& action, const torch::Tensor& codes) {
    log_probabilities_.push_back(
        torch::log_softmax(-model_.quantizer().distances(action) / options_.temperature, -1)
            .gather(1, codes.unsqueeze(1))
            .squeeze(1));
  }

  Trajectory finish() {
    const auto columns = [](const std::vector<torch::Tensor>& steps) {
      return steps.empty() ? torch::Tensor() : torch::stack(steps, /*dim=*/1);
    };
    trajectory_.codes = columns(codes_);
    if (!model_.has_codes()) trajectory_.vectors = columns(vectors_);
    trajectory_.losses = columns(losses_);
    trajectory_.self_losses = columns(self_losses_);
    trajectory_.exact = columns(exact_);
    trajectory_.log_probability = columns(log_probabilities_);
    return std::move(trajectory_);
  }

 private:
  NeoImpl& model_;
  torch::Tensor y_;
  const RolloutOptions& options_;
  std::unique_ptr<HardExecutor> own_executor_;
  HardExecutor* executor_ = nullptr;  // null: states are latent
  torch::Tensor state_;
  Trajectory trajectory_;
  std::vector<torch::Tensor> codes_, vectors_, losses_, self_losses_, exact_, log_probabilities_;
};

}  // namespace

torch::Tensor Trajectory::ends(const torch::Tensor& lengths) const {
  return torch::stack(observations).index({lengths, torch::arange(lengths.size(0))});
}

Trajectory induce(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const InductionOptions& options) {
  torch::NoGradGuard no_grad;
  auto& programmer = model.programmer();
  Execution execution(model, x, y, options);
  const auto target = programmer.encode_target_observation(model.observation(), y);
  for (int64_t k = 0; k < options.steps; ++k) {
    const auto action = programmer.propose(execution.encoded_state(), target);
    const auto uniforms = options.uniforms.defined() ? options.uniforms.select(1, k) : torch::Tensor();
    Latent chosen = model.bottleneck().forward(action, uniforms, options.temperature);
    if (model.has_codes()) {
      chosen.vectors = model.quantizer().vectors(chosen.codes);
      if (options.temperature > 0) execution.note_probability(action, chosen.codes);
    } else if (options.refinement.steps > 0) {
      chosen.vectors = refine(model, execution.state(), y, chosen.vectors, options.refinement);
    }
    execution.step(chosen, {});
  }
  return execution.finish();
}

Trajectory run_programs(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                        const Programs& programs, const RolloutOptions& options) {
  torch::NoGradGuard no_grad;
  auto& programmer = model.programmer();
  Execution execution(model, x, y, options);
  const bool scored = options.temperature > 0;
  const auto target = scored ? programmer.encode_target_observation(model.observation(), y) : torch::Tensor();
  const int64_t rows = x.size(0);
  for (int64_t k = 0; k < programs.codes.size(1); ++k) {
    const auto running = (programs.lengths > k).nonzero().squeeze(1);
    if (running.size(0) == 0) break;
    Latent chosen{{}, programs.codes.select(1, k), {}};
    chosen.vectors =
        programs.vectors.defined() ? programs.vectors.select(1, k) : model.quantizer().vectors(chosen.codes);
    if (scored)
      execution.note_probability(programmer.propose(execution.encoded_state(), target), chosen.codes);
    execution.step(chosen, running.size(0) == rows ? torch::Tensor() : running);
  }
  return execution.finish();
}

}  // namespace neo
