#pragma once

#include "linear/discover_maps.h"
#include "model/neo.h"
#include "neo/structure.h"
#include "train/config.h"

namespace neo {

// Maps that pairs of states have in common, in the leading dimensions of an observation model.
struct StateMaps {
  MapDiscovery found;
  Eigen::VectorXd scale;  // [d] a state times this is what was compared: every dimension as important as it is
};

StateMaps discover_state_maps(const Pairs& pairs, const Pairs& held_out, ObservationModel& observation,
                              const LatentWakeSleepConfig& config, uint64_t seed);

// Settings of a training whose codes begin with those maps: as many codes, and no phase that tells them apart.
std::vector<std::string> settings_of(const StateMaps& maps, const TrainConfig& config);

// Gives the maps to the codes of a model that was made with those settings.
void set_maps(NeoImpl& model, const StateMaps& maps);

// How the maps did, beside doing without.
std::vector<StructureTrial> trials_of(const StateMaps& maps);

}  // namespace neo
