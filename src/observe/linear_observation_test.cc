#include "observe/linear_observation.h"

#include <gtest/gtest.h>

#include "observe/pretrain.h"

namespace neo {
namespace {

Space image_of(int64_t rows, int64_t columns, int64_t channels) {
  return {.kind = Kind::pixels, .layout = Layout::image, .shape = {rows, columns, channels}};
}
Space vector_of(int64_t size) { return {.kind = Kind::real, .layout = Layout::vector, .shape = {size}}; }

// Images of a space of as many dimensions as there are directions [R, N].
torch::Tensor images_along(const torch::Tensor& directions, int64_t count) {
  const auto values = 0.5 + 0.02 * torch::randn({count, directions.size(0)}).matmul(directions);
  return (values.clamp(0, 1) * 255).round().to(torch::kUInt8);
}

TEST(LinearObservation, PrincipalComponentsGiveImagesBack) {
  torch::manual_seed(4);
  // Images of a six-dimensional space: eight components must reconstruct them.
  const auto directions = torch::randn({6, 3072});
  const auto images = [&](int64_t rows) { return images_along(directions, rows); };
  const auto model = make_observation_model({.kind = "linear", .width = 8}, image_of(32, 32, 3));
  EXPECT_TRUE(model->fit(images(400)));
  EXPECT_LT(reconstruction(*model, images(50)), 0.004);  // a byte is 1/255
  const auto states = model->encode(images(400)).squeeze(1);
  EXPECT_NEAR(states.select(1, 0).std().item<double>(), 1.0, 0.2);  // divided by the spread
  EXPECT_GT(model->spread()[0].item<double>(), model->spread()[5].item<double>());
  const auto some = images(20);
  EXPECT_TRUE(
      torch::allclose(model->encode_leading(some, 3), model->encode(some).narrow(2, 0, 3), 1e-4, 1e-4));
}

TEST(LinearObservation, AFrozenStateIsAFunctionOfItsImageAloneToTheLastBit) {
  torch::manual_seed(5);
  LinearObservation model(image_of(10, 10, 1), /*width=*/40);
  const auto images = torch::randint(0, 256, {200, 100}, torch::kUInt8);
  model.fit(images);
  const auto before = model.encode(images);
  model.freeze();
  const auto frozen = model.encode(images);
  EXPECT_TRUE(torch::allclose(before, frozen, 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(frozen.narrow(2, 0, 7), model.encode_leading(images, 7), 1e-4, 1e-4));
  for (const int64_t count : {1, 5, 77})
    EXPECT_TRUE(torch::equal(model.encode(images.narrow(0, 3, count)), frozen.narrow(0, 3, count)));
}

TEST(LinearObservation, LargeImagesAreReadAlongTheirComponentsToo) {
  torch::manual_seed(6);
  const Space space = image_of(65, 65, 1);  // more elements than a covariance matrix is made of
  const auto directions = torch::randn({6, space.size()});
  LinearObservation model(space, 8);
  EXPECT_TRUE(model.fit(images_along(directions, 300)));
  const auto unseen = images_along(directions, 20);
  EXPECT_LT(reconstruction(model, unseen), 0.004);
  EXPECT_NEAR(model.encode(images_along(directions, 300)).select(2, 0).std().item<double>(), 1.0, 0.2);
  const auto basis = model.named_buffers()["basis"];
  EXPECT_TRUE(torch::allclose(basis.t().matmul(basis), torch::eye(8), 0, 1e-4));
}

TEST(LinearObservation, FewDifferentLargeImagesComeBackWhateverTheWidth) {
  torch::manual_seed(7);
  const Space space = image_of(65, 65, 1);
  const auto images = torch::randint(0, 256, {5, space.size()}, torch::kUInt8).repeat({8, 1});  // rank 4
  LinearObservation model(space, 16);
  model.fit(images);
  EXPECT_LT(reconstruction(model, images.narrow(0, 0, 5)), 1e-3);
}

TEST(SlowLinearObservation, ComponentsOfManyLargeImagesAreFoundFromRowsSpreadOverAllOfThem) {
  torch::manual_seed(8);
  const Space space = image_of(65, 65, 1);
  const auto directions = torch::randn({6, space.size()});
  // What varies in the second half does not in the first.
  const auto images = torch::cat(
      {images_along(directions.narrow(0, 0, 3), 2200), images_along(directions.narrow(0, 3, 3), 2200)});
  LinearObservation model(space, 6);
  model.fit(images);
  EXPECT_LT(reconstruction(model, images_along(directions.narrow(0, 0, 3), 20)), 0.004);
  EXPECT_LT(reconstruction(model, images_along(directions.narrow(0, 3, 3), 20)), 0.004);
}

TEST(LinearObservation, UnitsOfRealNumbersDoNotMatter) {
  torch::manual_seed(9);
  const auto metres = torch::randn({200, 5}).matmul(torch::randn({5, 5})) + 3.0;
  auto mixed = metres.clone();
  mixed.select(1, 2) *= 1000.0;
  LinearObservation one(vector_of(5), 5), other(vector_of(5), 5);
  one.fit(metres);
  other.fit(mixed);
  for (bool frozen : {false, true}) {
    if (frozen) {
      one.freeze();
      other.freeze();
    }
    const auto a = one.encode(metres), b = other.encode(mixed);
    EXPECT_TRUE(torch::allclose(a.abs(), b.abs(), 1e-3, 1e-3));  // a component's sign is arbitrary
    EXPECT_TRUE(torch::allclose(one.decode(a), metres, 1e-3, 1e-3));
    EXPECT_TRUE(torch::allclose(other.decode(b).select(1, 2), mixed.select(1, 2), 1e-3, 1.0));
  }
  EXPECT_TRUE(torch::allclose(one.spread(), other.spread(), 1e-3, 1e-3));
  const auto off = torch::zeros({1, 5});
  const auto wrong = torch::ones({1, 5});
  auto wrong_mixed = wrong.clone();
  wrong_mixed.select(1, 2) *= 1000.0;
  EXPECT_NEAR(one.readout().loss(wrong, off).item<double>(),
              other.readout().loss(wrong_mixed, off).item<double>(), 1e-4);
}

TEST(LinearObservation, ANumberThatNeverChangesIsNoTrouble) {
  torch::manual_seed(10);
  auto numbers = torch::randn({50, 3});
  numbers.select(1, 1).fill_(7.0);
  LinearObservation model(vector_of(3), 3);
  model.fit(numbers);
  model.freeze();
  EXPECT_TRUE(torch::allclose(model.decode(model.encode(numbers)), numbers, 1e-3, 1e-3));
  EXPECT_LT(reconstruction(model, numbers), 1e-3);
}

TEST(LinearObservation, HasNoMoreDimensionsThanItsObservations) {
  EXPECT_EQ(LinearObservation(vector_of(7), 256).state().width, 7);
  EXPECT_EQ(LinearObservation(vector_of(7), 3).state().width, 3);
}

}  // namespace
}  // namespace neo
