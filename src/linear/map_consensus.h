#pragma once

#include "core/rng.h"
#include "linear/affine_map.h"

namespace neo {

// A transformation of states that many pairs have in common, whatever program is behind it.
struct MapTransformation {
  AffineMap map;
  std::vector<int64_t> pairs;  // which it explains
};

// Finds the maps behind the pairs one by one, by consensus: the pairs that are nearest to an example, in x and in
// y, are likely to share its program; a map is fitted to them, then to the pairs that it fits best, and so on, more
// of them each time. A pair counts as explained where the residual is below `floor`.
std::vector<MapTransformation> tell_maps_apart(const MapTable& pairs, double floor, RngStream random);

}  // namespace neo
