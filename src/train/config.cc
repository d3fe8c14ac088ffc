#include "train/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/error.h"

namespace neo {
namespace {

void need_positive(std::string_view name, int64_t value) {
  if (value < 1) fail_usage("{} is {}; it must be at least 1", name, value);
}

void need_one_of(std::string_view name, const std::string& value,
                 std::initializer_list<std::string_view> words) {
  if (std::ranges::find(words, value) == words.end())
    fail_usage("{} is '{}'; one of: {}", name, value, fmt::join(words, ", "));
}

}  // namespace

void check_settings(const TrainConfig& c) {
  need_positive("batch", c.batch);
  need_positive("steps", c.steps);
  need_positive("checkpoint_every", c.checkpoint_every);
  need_positive("validate_every", c.validate_every);
  need_positive("evaluated", c.evaluated);
  need_positive("model.observation.width", c.model.observation.width);
  need_positive("model.quantizer.codes", c.model.quantizer.codes);
  need_positive("model.quantizer.width", c.model.quantizer.width);
  need_positive("rollout.steps", c.rollout.steps);
  need_positive("wake_sleep.depth", c.wake_sleep.depth);
  need_positive("wake_sleep.width", c.wake_sleep.width);
  need_positive("wake_sleep.dream_length", c.wake_sleep.dream_length);
  need_positive("latent_wake_sleep.coarse_dims", c.latent_wake_sleep.coarse_dims);
  need_positive("latent_wake_sleep.dream_length", c.latent_wake_sleep.dream_length);
  need_one_of("rollout.choice", c.rollout.choice, {"sampled", "nearest"});
  need_one_of("rollout.grounding_mean", c.rollout.grounding_mean, {"steps", "length", "selected"});
  need_one_of("wake_sleep.search", c.wake_sleep.search, {"shortest", "cheapest"});
  if (c.grouped && c.objective != "latent-wake-sleep")
    fail_usage("the objective {} explains every pair by itself; leave out --grouped", c.objective);
  check_policy(c.policy);
}

}  // namespace neo
