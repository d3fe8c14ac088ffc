#pragma once

#include <cstdint>

#include "data/space.h"

namespace neo {

// A 32x32 picture of hills under a sky, used where there are no photographs.
Observation paint_landscape(uint64_t seed);

}  // namespace neo
