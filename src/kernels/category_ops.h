#pragma once

#include <torch/torch.h>

namespace neo {

// How well logits name the target categories, row by row; see CategoryLoss. CPU only.
struct CategoryScores {
  torch::Tensor loss;   // [B] cross-entropy, mean over positions; differentiable
  torch::Tensor own;    // [B] the loss had `best` been the target
  torch::Tensor best;   // [B, P] most likely category, the first of equals; typed as the targets
  torch::Tensor wrong;  // int32 [B] positions where best is not the target; 0: an exact match
};

// logits float [B, P, C] (or [B, P*C] with C = `categories`), targets [B, P]: uint8, or int16 beyond 256
// categories.
CategoryScores category_scores(const torch::Tensor& logits, const torch::Tensor& targets, int64_t categories);

// [B, P], typed as the targets would be.
torch::Tensor category_argmax(const torch::Tensor& logits, int64_t categories);

}  // namespace neo
