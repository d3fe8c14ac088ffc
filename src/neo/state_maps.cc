#include "neo/state_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "train/code_maps.h"
#include "train/latent_wake_sleep.h"

namespace neo {
namespace {
constexpr int64_t kMostMapPairs = 6000, kMapJudges = 1000;
// Every transformation needs some pairs for each dimension, and there may be dozens of them.
constexpr int64_t kPairsPerDimension = 150, kFewDimensions = 8, kMostDimensions = 24;

States scaled_states(ObservationModel& observation, const torch::Tensor& observations, const Eigen::VectorXd& scale) {
  torch::NoGradGuard no_grad;
  const auto states = observation.encode_leading(observations, scale.size()).squeeze(1).to(torch::kDouble).contiguous();
  const Eigen::Map<const States> plain(states.data_ptr<double>(), states.size(0), states.size(1));
  return plain * scale.asDiagonal();
}

MapTable table_of(ObservationModel& observation, const Pairs& pairs, const Eigen::VectorXd& scale) {
  return {scaled_states(observation, pairs.x, scale), scaled_states(observation, pairs.y, scale)};
}

}  // namespace

StateMaps discover_state_maps(const Pairs& pairs, const Pairs& held_out, ObservationModel& observation,
                              const LatentWakeSleepConfig& config, uint64_t seed) {
  const int64_t affordable = std::clamp(pairs.size() / kPairsPerDimension, kFewDimensions, kMostDimensions);
  const int64_t dimensions = std::min({config.coarse_dims, observation.state().width, affordable});
  const auto weight = state_importance(observation, dimensions, config.spread_power).to(torch::kDouble).contiguous();
  StateMaps maps;
  maps.scale = (static_cast<double>(dimensions) * Eigen::Map<const Eigen::VectorXd>(weight.data_ptr<double>(), dimensions).array()).sqrt();
  maps.found = discover_maps(table_of(observation, subsample(pairs, kMostMapPairs), maps.scale),
                             table_of(observation, subsample(held_out, kMapJudges), maps.scale), seed);
  return maps;
}

std::vector<std::string> settings_of(const StateMaps& maps, const TrainConfig& config) {
  const auto codes = maps.found.vocabulary.size();
  const LatentWakeSleepConfig& wake = config.latent_wake_sleep;
  const auto coarse = std::llround(wake.coarse_share * static_cast<double>(wake.wake_steps));
  return {fmt::format("model.quantizer.codes={}", codes),
          fmt::format("model.quantizer.width={}", codes),
          fmt::format("steps={}", std::max<int64_t>(1, config.steps - coarse)),
          fmt::format("latent_wake_sleep.wake_steps={}", wake.wake_steps - coarse),
          "latent_wake_sleep.coarse_share=0",
          "latent_wake_sleep.split_every=0",
          "latent_wake_sleep.price.balance=0"};
}

void set_maps(NeoImpl& model, const StateMaps& maps) {
  const auto codes = model.quantizer().config().codes;
  if (static_cast<int64_t>(maps.found.vocabulary.size()) != codes)
    fail_usage("these pairs have {} maps in common; set model.quantizer.codes and .width to that",
               maps.found.vocabulary.size());
  const int64_t width = model.observation().state().width, leading = maps.scale.size();
  const auto vectors = model.quantizer().vectors(torch::arange(codes));
  for (int64_t code = 0; code < codes; ++code) {
    // (s k) + [s k, 1] . change, in units of s
    Eigen::MatrixXd change = maps.found.vocabulary[static_cast<size_t>(code)].change;
    change.topRows(leading) = maps.scale.asDiagonal() * change.topRows(leading);
    const States plain = change * maps.scale.cwiseInverse().asDiagonal();
    const auto whole = torch::from_blob(const_cast<double*>(plain.data()), {leading + 1, leading}, torch::kDouble).to(torch::kFloat);
    auto map = torch::zeros({width, width});
    map.slice(0, 0, leading).slice(1, 0, leading).copy_(whole.slice(0, 0, leading));
    const auto offset = torch::constant_pad_nd(whole[leading], {0, width - leading});
    linear_executor(model).set_map(vectors[code], map, offset);
  }
}

std::vector<StructureTrial> trials_of(const StateMaps& maps) {
  if (maps.found.floor <= 0) return {};
  return {{"none", 0, 0.0, maps.found.baseline_bits},
          {"consensus", static_cast<int64_t>(maps.found.vocabulary.size()), maps.found.explained, maps.found.bits}};
}

}  // namespace neo
