#include "observe/pretrain.h"

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/files.h"
#include "core/progress.h"
#include "core/rng.h"

namespace neo {

PretrainConfig default_pretraining(const std::string& kind) {
  // Small models of single observations take seconds.
  if (kind == "tokens") return {.steps = 600, .batch = 64, .rate = 2e-2};
  // The paper's schedules: 500 passes over 10,000 numbers, and over 1.74 million images, which takes days on a GPU.
  if (kind == "digits") return {.steps = 10000, .batch = 512, .rate = 3e-3};
  if (kind == "residual-vae") return {.steps = 1699500, .batch = 512, .rate = 5e-4, .least = 1740000};
  return {};
}

void pretrain(ObservationModel& model, const torch::Tensor& observations, const PretrainConfig& config,
              uint64_t seed) {
  if (observations.size(0) < config.least)
    fail("there are {} observations to pretrain on, and this model wants {}; delete their file and run `neo data make "
         "BENCHMARK --profile pretraining`, or add --set least=0",
         observations.size(0), config.least);
  if (model.fit(observations)) {
    model.freeze();
    return;
  }
  model.train();
  torch::optim::AdamW optimizer(model.parameters(),
                                torch::optim::AdamWOptions(config.rate).weight_decay(config.decay));
  RngStream random(seed, "pretraining batches");
  Progress bar("pretraining", config.steps);
  auto rows = torch::empty({config.batch}, torch::kLong);
  for (int64_t step = 0; step < config.steps; ++step) {
    const double progress = static_cast<double>(step) / static_cast<double>(config.steps);
    const double rate =
        config.rate * (config.floor + (1 - config.floor) * 0.5 * (1 + std::cos(std::numbers::pi * progress)));
    static_cast<torch::optim::AdamWOptions&>(optimizer.param_groups()[0].options()).lr(rate);
    for (int64_t i = 0; i < config.batch; ++i) {
      rows[i] = static_cast<int64_t>(random.below(static_cast<uint64_t>(observations.size(0))));
    }
    optimizer.zero_grad();
    const auto loss = model.pretraining_loss(observations.index_select(0, rows));
    const double value = loss.item<double>();
    if (!std::isfinite(value))
      fail("the pretraining loss became {} at step {}; lower the learning rate", value, step + 1);
    loss.backward();
    torch::nn::utils::clip_grad_norm_(model.parameters(), config.clip);
    optimizer.step();
    bar.advance(1, fmt::format("loss {:.5f}", value));
    throw_if_interrupted();
  }
  bar.finish();
  model.freeze();
}

double reconstruction(ObservationModel& model, const torch::Tensor& observations) {
  torch::NoGradGuard no_grad;
  constexpr int64_t kRows = 1024;
  const Readout readout = model.readout();
  double total = 0;
  for (int64_t begin = 0; begin < observations.size(0); begin += kRows) {
    const auto rows = observations.narrow(0, begin, std::min(kRows, observations.size(0) - begin));
    const Reading reading = readout.read(model.decode(model.encode(rows)), rows);
    total += (readout.is_categorical() ? reading.exact.to(torch::kDouble) : reading.loss.to(torch::kDouble))
                 .sum()
                 .item<double>();
  }
  return total / static_cast<double>(observations.size(0));
}

}  // namespace neo
