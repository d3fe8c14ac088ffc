#include "train/config.h"

#include "core/config.h"
#include "core/error.h"
#include "kernels/precision.h"
#include "model/size.h"

namespace neo {

void check_settings(const TrainConfig& c) {
  check_allowed(c);
  precision_named(c.precision);
  const ProgrammerConfig& programmer = c.model.programmer;
  if (programmer.kind == "transformer" && programmer.hidden % programmer.heads != 0)
    fail_usage("model.programmer.hidden is {}; it must be a multiple of the {} heads", programmer.hidden,
               programmer.heads);
  if (c.grouped && c.objective != "latent-wake-sleep")
    fail_usage("the objective {} explains every pair by itself; leave out --grouped", c.objective);
}

double training_memory(const TrainConfig& c, const Space& space) {
  constexpr double kBytes = 4, kCopies = 4;  // the parameter, its gradient, two averages
  const int64_t states = c.objective == "rollout" ? c.rollout.steps + 1 : 2;
  return kBytes * (kCopies * least_parameters(c.model, space) +
                   static_cast<double>(c.batch * states) * state_numbers(c.model.observation, space));
}

void check_training_memory(const TrainConfig& c, const Space& space, double available) {
  constexpr double kGigabyte = 1e9;
  const double needed = training_memory(c, space);
  if (needed > available)
    fail("training needs {:.1f} GB of memory at least, {:.1f} GB are free; lower batch, model.programmer.hidden or "
         "model.executor.hidden with --set",
         needed / kGigabyte, available / kGigabyte);
}

}  // namespace neo
