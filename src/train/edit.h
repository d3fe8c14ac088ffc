#pragma once

#include "model/neo.h"
#include "train/adamw.h"

namespace neo {

// A change to the model other than by gradient. Objectives request edits and the trainer applies them after
// the optimiser's step, which is where several processes could agree on them.
struct Edit {
  enum class Kind { reinitialise, retire, set_map } kind = Kind::retire;
  int64_t code = 0;
  torch::Tensor vector = {};            // reinitialise: [A], its initial vector
  torch::Tensor map = {}, offset = {};  // set_map: [D, D], [D], the new map of the code (linear executors)
};

void apply_edit(NeoImpl& model, AdamW& optimizer, const Edit& edit);

}  // namespace neo
