#pragma once

#include "core/rng.h"
#include "discover/transformation.h"

namespace neo {

// Finds the transformations behind the pairs, one by one, by consensus: a pair is taken as an example, the
// pairs that agree with it best join it, and so on until what they have in common explains them exactly. What
// is found must pay for itself: writing the transformation down takes fewer nats than it saves on its pairs,
// so that unrelated pairs give none. Pairs with y = x take no part. Up to `noise` cells of every y may be
// wrong. Rules are tried first: they need fewer examples. Then moves between fixed cells.
std::vector<Transformation> tell_apart(const PairTable& pairs, int64_t noise, RngStream random);

}  // namespace neo
