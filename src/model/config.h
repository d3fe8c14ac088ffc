#pragma once

#include <cstdint>
#include <string>

#include "observe/config.h"

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

// The bottleneck between programmer and executor. A Gaussian has only width and beta.
struct QuantizerConfig {
  std::string kind = "codebook";      // codebook or gaussian
  int64_t codes = 6;                  // |E|, vocabulary size
  int64_t width = 16;                 // A, size of one code vector
  std::string initial = "uniform";    // uniform, or orthogonal: every code in a direction of its own
  double commitment = 0.25;           // weight of ||a - sg(e)||^2
  std::string codebook = "gradient";  // gradient or ema
  double decay = 0.99;                // of the EMA
  std::string commit = "step";        // EMA: after every call, or once per optimiser step over all its calls
  double entropy = 0.0;               // weight of (sample entropy - codebook entropy)
  double orthogonality = 0.0;         // weight of the mean squared cosine between different codes
  double orthogonality_rate = 1.5e-3; // EMA: step size of that penalty, which no optimiser applies
  double beta = 0.01;                 // gaussian: weight of the KL term
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind, "codebook, or gaussian (a continuous program, for the baselines)");
    field("codes", c.codes, "vocabulary size |E|");
    field("width", c.width, "width of a code vector");
    field("initial", c.initial, "where codes start: uniform or orthogonal");
    field("commitment", c.commitment, "weight of the commitment loss");
    field("codebook", c.codebook, "how codes learn: gradient or ema");
    field("decay", c.decay, "decay of the EMA codebook");
    field("commit", c.commit, "when the EMA codebook moves: call or step");
    field("entropy", c.entropy, "weight of sample entropy minus codebook entropy");
    field("orthogonality", c.orthogonality, "weight of the orthogonality penalty");
    field("orthogonality_rate", c.orthogonality_rate, "ema: step size of the orthogonality penalty");
    field("beta", c.beta, "gaussian: weight of the KL term");
  }
};

struct NeoConfig {
  ObservationConfig observation;
  ProgrammerConfig programmer;
  ExecutorConfig executor;
  QuantizerConfig quantizer;
  static void visit(auto& c, auto&& field) {
    field("observation", c.observation, "observation model: E and D");
    field("programmer", c.programmer, "theory programmer q(z | s, s_y)");
    field("executor", c.executor, "program executor f(s, z)");
    field("quantizer", c.quantizer, "codebook, or another bottleneck");
  }
};

}  // namespace neo
