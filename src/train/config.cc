#include "train/config.h"

#include <string_view>

#include "core/error.h"

namespace neo {
namespace {

void need_positive(std::string_view name, int64_t value) {
  if (value < 1) fail_usage("{} is {}; it must be at least 1", name, value);
}

void need_either(std::string_view name, const std::string& value, std::string_view one,
                 std::string_view other) {
  if (value != one && value != other) fail_usage("{} is '{}'; one of: {}, {}", name, value, one, other);
}

}  // namespace

void check_settings(const TrainConfig& c) {
  need_positive("batch", c.batch);
  need_positive("steps", c.steps);
  need_positive("checkpoint_every", c.checkpoint_every);
  need_positive("validate_every", c.validate_every);
  need_positive("objective.steps", c.objective.steps);
  need_positive("model.quantizer.codes", c.model.quantizer.codes);
  need_positive("model.quantizer.width", c.model.quantizer.width);
  need_positive("evaluation.steps", c.evaluation.steps);
  need_positive("evaluation.draws", c.evaluation.draws);
  need_positive("evaluation.episodes", c.evaluation.episodes);
  need_either("objective.choice", c.objective.choice, "sampled", "nearest");
  need_either("objective.search", c.objective.search, "shortest", "cheapest");
}

}  // namespace neo
