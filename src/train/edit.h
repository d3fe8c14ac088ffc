#pragma once

#include "model/neo.h"
#include "train/adamw.h"

namespace neo {

// A change to the model that no gradient makes. Objectives ask for edits, the trainer makes them after the
// optimiser's step: the seam at which several processes can agree on them.
struct Edit {
  enum class Kind { reinitialise, retire, set_map } kind = Kind::retire;
  int64_t code = 0;
  torch::Tensor vector = {};       // reinitialise: [A], where the code starts anew
  torch::Tensor map = {}, offset = {};  // set_map: [D, D], [D], what the code does from now on (linear executors)
};

void apply_edit(NeoImpl& model, AdamW& optimizer, const Edit& edit);

}  // namespace neo
