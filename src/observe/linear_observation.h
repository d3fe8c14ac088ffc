#pragma once

#include <optional>

#include "kernels/frozen_ops.h"
#include "observe/observation_model.h"

namespace neo {

// Pixels or real numbers as points of a linear space: their leading principal components, each divided by its
// spread, so that all dimensions of a state vary equally.
//   x [B, N] --> (x - mean) . basis / spread --> s [B, 1, D] --> (s * spread) . basis' + mean [B, N]
// Real numbers are first divided by their own spread, so that their units do not matter.
// Flips, rotations and masks are affine in pixels, and therefore nearly so in states.
class LinearObservation : public ObservationModel {
 public:
  LinearObservation(const Space& space, int64_t width);  // at most `width` components
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor encode_leading(const torch::Tensor& observations, int64_t dimensions) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  StateShape state() const override { return {1, spread_.size(0)}; }
  Readout readout() const override;
  bool fit(const torch::Tensor& observations) override;
  void freeze() override;
  torch::Tensor spread() const override { return spread_; }

 private:
  void fit_scale(const torch::Tensor& observations);
  torch::Tensor scaled(const torch::Tensor& observations) const;  // float, in units of `scale_`
  // s = x . map + offset for x as observed: centring and scaling done to the basis, which is much smaller than
  // a batch of images.
  struct Affine {
    torch::Tensor map, offset;  // [N, D], [D]
  };
  Affine encoder() const;
  struct Frozen {
    Affine encoder;
    FrozenStackPtr whole;  // the same; a state is a function of its own image alone, to the last bit
  };

  torch::Tensor scale_;                  // [N] the unit of each number; pixels: [1], 255
  torch::Tensor mean_, basis_, spread_;  // [N], [N, D] orthonormal, [D]
  std::optional<Frozen> frozen_;
};

}  // namespace neo
