#include "model/weights.h"

#include <gtest/gtest.h>

#include "core/testing.h"
#include "observe/pretrain.h"

namespace neo {
namespace {

TEST(ObservationWeights, TheResidualVaeComesBackAsItWasPretrained) {
  testing::TemporaryFolder folder;
  torch::manual_seed(1);
  const ObservationConfig config{.kind = "residual-vae", .tokens = 1, .width = 4, .beta = 1e-4};
  const auto images = torch::randint(0, 256, {6, imaging().size()}, torch::kUInt8);
  const auto model = make_observation_model(config, imaging());
  pretrain(*model, images, {.steps = 3, .batch = 3, .rate = 5e-4}, 1);
  save_observation_model(folder / "vae.safetensors", *model, config, imaging());

  const auto loaded = make_observation_model(config, imaging());
  load_observation_model(folder / "vae.safetensors", *loaded, config, imaging());
  loaded->freeze();
  const auto states = model->encode(images);  // by the running statistics of BatchNorm, which are in the file
  EXPECT_TRUE(torch::equal(loaded->encode(images), states));
  EXPECT_TRUE(torch::equal(loaded->decode(states), model->decode(states)));

  ObservationConfig wider = config;
  wider.width = 5;
  EXPECT_NE(testing::error_of([&] {
              load_observation_model(folder / "vae.safetensors", *make_observation_model(wider, imaging()),
                                     wider, imaging());
            }).find("neo pretrain imaging"),
            std::string::npos);
}

}  // namespace
}  // namespace neo
