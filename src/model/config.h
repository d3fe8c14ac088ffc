#pragma once

#include <cstdint>
#include <string>

#include "observe/observation_model.h"

namespace neo {

// The form of a latent state: T tokens of width D. Where there is one token per element of the observation,
// they keep its layout: rows x columns (10 x 10 cells, 1 x 6 digits).
struct StateShape {
  int64_t tokens = 1;
  int64_t width = 32;
  int64_t rows = 1;
  int64_t columns = 1;
};

struct ProgrammerConfig {
  std::string kind = "mlp";  // mlp, projections
  int64_t hidden = 128;
  int64_t layers = 4;    // hidden layers
  int64_t features = 8;  // per cell (projections)
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind, "mlp (all of both states) or projections (row and column sums)");
    field("hidden", c.hidden, "hidden width");
    field("layers", c.layers, "hidden layers");
    field("features", c.features, "features per cell (projections)");
  }
};

struct ExecutorConfig {
  std::string kind = "film";  // film, local
  int64_t hidden = 128;
  int64_t neighbours = 4;  // local: 4 (sharing a side) or 8 (also corners)
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind, "film (whole state) or local (each cell from its neighbours)");
    field("hidden", c.hidden, "hidden width");
    field("neighbours", c.neighbours, "local: 4 (cells that share a side) or 8 (also corners)");
  }
};

}  // namespace neo
