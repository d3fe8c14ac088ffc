#include "kernels/adamw_update.h"

#include <cmath>

namespace neo {

void adamw_update(const AdamWUpdate& u, const float* gradient, float* value, float* first, float* second,
                  int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    const float d = gradient[k] * u.scale;
    first[k] = u.beta1 * first[k] + (1 - u.beta1) * d;
    second[k] = u.beta2 * second[k] + (1 - u.beta2) * d * d;
    value[k] = value[k] * u.keep - u.step_size * first[k] / (std::sqrt(second[k]) * u.root_scale + u.epsilon);
  }
}

}  // namespace neo
