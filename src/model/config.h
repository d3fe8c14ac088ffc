#pragma once

#include <cstdint>
#include <string>

#include "observe/observation_model.h"

namespace neo {

struct ProgrammerConfig {
  std::string kind = "mlp";  // mlp, products, projections, transformer
  int64_t hidden = 128;
  int64_t layers = 4;         // hidden layers
  int64_t features = 8;       // per cell (projections), or how many products
  int64_t heads = 4;          // transformer
  int64_t feedforward = 256;  // transformer
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "mlp (all of both states), products (and their products), projections (row and column sums) or "
          "transformer");
    field("hidden", c.hidden, "hidden width");
    field("layers", c.layers, "hidden layers");
    field("features", c.features, "features per cell (projections), or how many products");
    field("heads", c.heads, "attention heads (transformer)");
    field("feedforward", c.feedforward, "width of the feed-forward layers (transformer)");
  }
};

struct ExecutorConfig {
  std::string kind = "film";  // film, bilinear, local, recurrent, routing, attention
  int64_t hidden = 128;
  int64_t blocks = 1;         // film: how often the action modulates
  int64_t layers = 4;         // attention
  int64_t heads = 2;          // attention
  int64_t feedforward = 128;  // attention
  int64_t neighbours = 4;     // local: 2 (left and right), 4 (sharing a side) or 8 (also corners)
  double action_scale = 1.0;  // recurrent: length of the code vector it sees
  int64_t values = 0;         // routing: V, values of a cell
  int64_t noise = 0;          // routing: cells of y that may be wrong
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "film (whole state), bilinear (a linear map per dimension of the action), local (each cell from "
          "its neighbours), recurrent (last token to first), routing (each cell from any other, found by "
          "counting) or attention");
    field("hidden", c.hidden, "hidden width");
    field("blocks", c.blocks, "film: how often the action modulates the hidden layer");
    field("layers", c.layers, "decoder layers (attention)");
    field("heads", c.heads, "attention heads (attention)");
    field("feedforward", c.feedforward, "width of the feed-forward layers (attention)");
    field("neighbours", c.neighbours, "local: 2 (left and right), 4 (cells that share a side) or 8 (also corners)");
    field("action_scale", c.action_scale, "recurrent: length of the code vector it sees");
    field("values", c.values, "routing: how many values a cell has");
    field("noise", c.noise, "routing: cells of y that may be wrong");
  }
};

}  // namespace neo
