#pragma once

#include "core/rng.h"
#include "discover/routing.h"

namespace neo {

// A transformation that many pairs have in common, whatever program is behind it.
struct Transformation {
  Routing routing;
  std::vector<int64_t> pairs;  // which it explains
};

// Nats of y given x without any theory: which cells change, and to what.
double baseline_cost(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values);

// Finds the transformations behind the pairs, one by one, by consensus: a pair is taken as an example, the pairs
// that agree with it best join it, and so on until what they have in common explains them exactly. What is found
// must pay for itself: writing the transformation down takes fewer nats than it saves on its pairs, so that
// unrelated pairs give none. Pairs with y = x take no part. Up to `noise` cells of every y may be wrong.
std::vector<Transformation> tell_apart(const PairTable& pairs, int64_t noise, RngStream random);

}  // namespace neo
