#include "train/edit.h"

#include "train/code_maps.h"

namespace neo {

void apply_edit(NeoImpl& model, AdamW& optimizer, const Edit& edit) {
  torch::NoGradGuard no_grad;
  switch (edit.kind) {
    case Edit::Kind::reinitialise:
      model.quantizer().reset_code(edit.code, edit.vector);
      optimizer.forget("quantizer.codebook", edit.code);
      break;
    case Edit::Kind::retire: model.quantizer().retire({edit.code}); break;
    case Edit::Kind::set_map: {
      const auto action = model.quantizer().vectors(torch::tensor({edit.code})).squeeze(0);
      linear_executor(model).set_map(action, edit.map, edit.offset);
      break;
    }
  }
}

}  // namespace neo
