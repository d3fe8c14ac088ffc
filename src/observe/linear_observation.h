#pragma once

#include <optional>

#include "kernels/frozen_ops.h"
#include "observe/observation_model.h"

namespace neo {

// Images as points of a linear space: the leading principal components of their pixels, each divided by its
// spread, so that all dimensions of a state vary alike.
//   x [B, N] --> (x - mean) . basis / spread --> s [B, 1, D] --> (s * spread) . basis' + mean [B, N]
// Flips, rotations and masks are affine in pixels, and therefore nearly so in states.
class LinearObservation : public ObservationModel {
 public:
  LinearObservation(int64_t pixels, int64_t width);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor encode_leading(const torch::Tensor& observations, int64_t dimensions) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  Readout readout() const override { return Readout::pixels(); }
  bool fit(const torch::Tensor& observations) override;
  void freeze() override;
  torch::Tensor spread() const override { return spread_; }

 private:
  // s = x . map + offset for x of bytes: centring and scaling done to the basis, which is much smaller than
  // a batch of images.
  struct Affine {
    torch::Tensor map, offset;  // [N, D], [D]
  };
  Affine encoder() const;
  struct Frozen {
    Affine encoder;
    FrozenStackPtr whole;  // the same; a state is a function of its own image alone, to the last bit
  };

  torch::Tensor mean_, basis_, spread_;  // [N], [N, D] orthonormal, [D]
  std::optional<Frozen> frozen_;
};

}  // namespace neo
