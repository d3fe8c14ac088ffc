#pragma once

#include <cstdint>

namespace neo {

// One step of AdamW on a stretch of values: with d = scale * gradient,
//   first = beta1 first + (1 - beta1) d    second = beta2 second + (1 - beta2) d^2
//   value = keep value - step_size first / (root_scale sqrt(second) + epsilon)
struct AdamWUpdate {
  float beta1, beta2, epsilon;
  float scale;                  // clips the gradient
  float keep;                   // what decay leaves of a value
  float step_size, root_scale;  // with the corrections for moments that began at zero
};
void adamw_update(const AdamWUpdate& update, const float* gradient, float* value, float* first, float* second,
                  int64_t count);

}  // namespace neo
