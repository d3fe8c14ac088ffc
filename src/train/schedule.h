#pragma once

#include <cstdint>

namespace neo {

// Learning-rate multiplier after t of T updates: linear warm-up over int(warmup T), full until int(hold T),
// then half a cosine down to `floor`.
double warmup_cosine(int64_t t, int64_t total, double warmup, double floor, double hold = 0.0);
// From start to end over int(share T) steps, along half a cosine (temperature tau) or a line (lambda).
double cosine_between(int64_t t, int64_t total, double start, double end, double share);
double linear_between(int64_t t, int64_t total, double start, double end, double share);

}  // namespace neo
