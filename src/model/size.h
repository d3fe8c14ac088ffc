#pragma once

#include "data/space.h"
#include "model/config.h"

namespace neo {

// How many numbers a state and the parameters have at least, known before anything is allocated: each part's largest
// matrices. A file that holds fewer cannot be of this architecture.
double state_numbers(const ObservationConfig& config, const Space& space);
double least_parameters(const NeoConfig& config, const Space& space);

}  // namespace neo
