#pragma once

#include "rollout/rollout.h"

namespace neo {

// What the search found for each of B pairs.
struct LatentFound {
  Programs programs;     // codes [B, depth]: the winners
  torch::Tensor codes;   // [B, depth, depth] the nearest program of each length; row k - 1 has k codes
  torch::Tensor losses;  // [B, depth] how far it ends from E(y): squared, in units of the observation
};

// For worlds without exact matches: a beam over latent states, none of them re-encoded. A longer program must
// bring the loss below 0.97 of the shorter one's to win. x, y: uint8 [B, N].
LatentFound latent_beam(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, int64_t depth,
                        int64_t width);

// Executor calls of such a search per pair.
int64_t latent_beam_calls(NeoImpl& model, int64_t depth, int64_t width);

}  // namespace neo
