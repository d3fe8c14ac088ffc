#pragma once

#include "rollout/rollout.h"

namespace neo {

// What the search found for each of B pairs.
struct LatentBeamResult {
  Programs programs;        // codes [B, depth]: the winners
  torch::Tensor codes;      // [B, depth, depth] the nearest program of each length; row k - 1 has k codes
  torch::Tensor distances;  // [B, depth] how far it ends from E(y): squared, in units of the observation
  torch::Tensor losses;     // [B, depth] l(y, y^) there
};

// For observations that are never met exactly: a beam over latent states, none of them re-encoded. The policy's
// length rule chooses between the nearest programs of each length by their losses. x, y: [B, N].
LatentBeamResult latent_beam(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const Policy& policy);

// Executor calls of a beam over all codes per pair, at most.
int64_t beam_calls(NeoImpl& model, int64_t depth, int64_t width);

}  // namespace neo
