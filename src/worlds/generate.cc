#include "worlds/generate.h"

#include "core/error.h"
#include "worlds/arithmetic/generator.h"
#include "worlds/gridworld/generator.h"
#include "worlds/imaging/generator.h"

namespace neo {

void generate(const DataRequest& request, const OpenSplit& open) {
  const World& world = world_named(request.world);
  if (!(request.alpha >= 0.0 && request.alpha <= 1.0)) {
    fail_usage("alpha is {}, but it is a share of the programs: choose a value from 0 to 1", request.alpha);
  }
  if (request.profile != "otib" && request.profile != "length" && request.profile != "pretraining") {
    fail_usage("unknown profile '{}'; the profiles are: otib, length, pretraining", request.profile);
  }
  if (request.episodes < 0)
    fail_usage("--episodes {} is negative; leave it out for the paper's number", request.episodes);
  if (&world == &gridworld()) return generate_gridworld(request, open);
  if (&world == &arithmetic()) return generate_arithmetic(request, open);
  generate_imaging({.alpha = request.alpha,
                    .profile = request.profile,
                    .episodes = request.episodes,
                    .fast = request.fast_sampling,
                    .seed = request.seed,
                    .cifar = request.cifar},
                   open);
}

}  // namespace neo
