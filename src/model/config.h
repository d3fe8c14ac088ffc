#pragma once

#include <cstdint>
#include <string>

#include "observe/observation_model.h"

namespace neo {

// The form of a latent state: T tokens of width D, laid out as the observation is where the model keeps its
// layout (a 10x10 grid has 100 tokens).
struct StateShape {
  int64_t tokens = 1;
  int64_t width = 32;
};

struct ProgrammerConfig {
  std::string kind = "mlp";  // mlp, transformer, projections
  int64_t hidden = 128;
  int64_t layers = 4;        // hidden layers
  int64_t heads = 4;
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind, "which programmer");
    field("hidden", c.hidden, "hidden width");
    field("layers", c.layers, "hidden layers");
    field("heads", c.heads, "attention heads (transformer)");
  }
};

struct ExecutorConfig {
  std::string kind = "film";  // film, attention, ...
  int64_t hidden = 128;
  int64_t layers = 1;
  int64_t heads = 2;
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind, "which executor");
    field("hidden", c.hidden, "hidden width");
    field("layers", c.layers, "FiLM blocks or attention layers");
    field("heads", c.heads, "attention heads (attention)");
  }
};

}  // namespace neo
