#pragma once

#include <torch/torch.h>

#include "model/neo.h"

// Helpers for tests only.
namespace neo::testing {

// 10x10 cells of 9 values, 0 the background.
inline Space grid_space() { return {.layout = Layout::grid, .shape = {10, 10}, .values = {9}}; }
inline Space number_space() { return {.layout = Layout::number, .shape = {6}, .values = {10}}; }
inline Space image_space() { return {.kind = Kind::pixels, .layout = Layout::image, .shape = {32, 32, 3}}; }

// A hand-made theory of grids: code z moves everything by one cell, 0 up, 1 right, 2 down, 3 left. Its
// programmer is untrained.
inline Neo grid_theory() {
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 16};
  config.programmer = {.kind = "projections", .hidden = 8, .layers = 1, .features = 2};
  config.executor = {.kind = "local", .hidden = 4};
  config.quantizer = {.codes = 4, .width = 4};
  torch::manual_seed(5);
  Neo model(config, grid_space());
  model->eval();
  torch::NoGradGuard no_grad;
  // Sixteen dimensions hold nine orthogonal colours.
  for (auto& item : model->named_parameters()) {
    if (item.key() == "observation.embedding") item.value().copy_(torch::eye(16).narrow(0, 0, 9));
    if (item.key() == "executor.outside") item.value().copy_(torch::eye(16)[0]);
    if (item.key() == "quantizer.codebook") item.value().copy_(torch::eye(4));
    if (item.key() == "executor.taps.weight") {
      item.value().zero_();
      const int64_t source[] = {4, 2, 1, 3};  // up looks at the cell below, right at the one to its left, ...
      for (int64_t code = 0; code < 4; ++code) item.value()[source[code]][code] = 30.0;
    }
  }
  model->observation().freeze();
  return model;
}

// A theory of images with random weights: states stay latent, and nothing is ever exact.
inline Neo image_theory() {
  NeoConfig config;
  config.observation = {.kind = "linear", .width = 4};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = {.kind = "bilinear"};
  config.quantizer = {.codes = 4, .width = 8, .initial = "orthogonal"};
  torch::manual_seed(7);
  Neo model(config, image_space());
  model->eval();
  model->observation().freeze();
  return model;
}

// An untrained theory of numbers whose programs are vectors of this width. `spread`: how far vectors differ
// in what they do; an untrained executor would hardly heed them.
inline Neo continuous_theory(int64_t width, double spread) {
  torch::manual_seed(5);
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 10};
  config.programmer = {.kind = "mlp", .hidden = 16, .layers = 1};
  config.executor = {.kind = "film", .hidden = 32};
  config.quantizer = {.kind = "gaussian", .codes = 1, .width = width};
  Neo model(config, number_space());
  for (auto& item : model->executor().named_parameters()) {
    if (item.key().starts_with("beta")) torch::nn::init::normal_(item.value(), 0, spread);
  }
  model->eval();
  model->observation().freeze();
  return model;
}

// A grid with one cell of colour 3.
inline Observation grid_with(int row, int column) {
  Observation grid(100, 0);
  grid[static_cast<size_t>(row * 10 + column)] = 3;
  return grid;
}

}  // namespace neo::testing
