#pragma once

#include <cstdint>
#include <string>

#include "core/allowed.h"
#include "observe/config.h"

namespace neo {

struct ProgrammerConfig {
  std::string kind = "mlp";  // mlp, film, products, projections, transformer
  int64_t hidden = 128;
  int64_t layers = 4;         // hidden layers
  int64_t features = 8;       // per cell (projections), or how many products
  int64_t heads = 4;          // transformer
  int64_t feedforward = 256;  // transformer
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "mlp (all of both states), film (the target modulates the state), products (and their products), "
          "projections (row and column sums) or transformer",
          one_of({"mlp", "film", "products", "projections", "transformer"}));
    field("hidden", c.hidden, "hidden width", between(1, 8192));
    field("layers", c.layers, "hidden layers", between(0, 64));
    field("features", c.features, "features per cell (projections), or how many products", between(1, 8192));
    field("heads", c.heads, "attention heads (transformer)", between(1, 256));
    field("feedforward", c.feedforward, "width of the feed-forward layers (transformer)", between(1, 32768));
  }
};

struct ExecutorConfig {
  std::string kind = "film";  // film, bilinear, local, recurrent, discovered, attention
  int64_t hidden = 128;
  int64_t blocks = 1;         // film: how often the action modulates
  int64_t layers = 4;         // attention
  int64_t heads = 2;          // attention
  int64_t feedforward = 128;  // attention
  int64_t neighbours = 4;     // local: 2 (left and right), 4 (sharing a side) or 8 (also corners)
  double action_scale = 1.0;  // recurrent: length of the code vector it sees
  int64_t values = 0;         // discovered: V, values of a cell
  int64_t channels = 1;       // discovered: C, cells of a place
  int64_t words = 0;          // discovered: numbers that the operations take to write down
  int64_t noise = 0;          // discovered: cells of y that may be wrong
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "film (whole state), bilinear (a linear map per dimension of the action), local (each cell from "
          "its neighbours), recurrent (last token to first), discovered (operations found by counting) "
          "or attention",
          one_of({"film", "bilinear", "local", "recurrent", "discovered", "attention"}));
    field("hidden", c.hidden, "hidden width", between(1, 8192));
    field("blocks", c.blocks, "film: how often the action modulates the hidden layer", between(1, 64));
    field("layers", c.layers, "decoder layers (attention)", between(1, 64));
    field("heads", c.heads, "attention heads (attention)", between(1, 256));
    field("feedforward", c.feedforward, "width of the feed-forward layers (attention)", between(1, 32768));
    field("neighbours", c.neighbours,
          "local: 2 (left and right), 4 (cells that share a side) or 8 (also corners)", between(2, 8));
    field("action_scale", c.action_scale, "recurrent: length of the code vector it sees", between(1e-6, 1e6));
    field("values", c.values, "discovered: how many values a cell has; 0: what the pairs say",
          between(0, 65536));
    field("channels", c.channels, "discovered: how many values a place has", between(0, 65536));
    field("words", c.words,
          "discovered: numbers that the operations take to write down; 0: what counting finds",
          between(0, 1 << 24));
    field("noise", c.noise, "discovered: cells of y that may be wrong", between(0, 65536));
  }
};

// The bottleneck between programmer and executor. A Gaussian has only width and beta.
struct QuantizerConfig {
  std::string kind = "codebook";       // codebook or gaussian
  int64_t codes = 6;                   // |E|, vocabulary size
  int64_t width = 16;                  // A, size of one code vector
  std::string initial = "uniform";     // uniform, or orthogonal: every code in a direction of its own
  double commitment = 0.25;            // weight of ||a - sg(e)||^2
  std::string codebook = "gradient";   // gradient or ema
  double decay = 0.99;                 // of the EMA
  std::string commit = "step";         // EMA: after every call, or once per optimiser step over all its calls
  double entropy = 0.0;                // weight of (sample entropy - codebook entropy)
  double orthogonality = 0.0;          // weight of the mean squared cosine between different codes
  double orthogonality_rate = 1.5e-3;  // EMA: step size of that penalty, which no optimiser applies
  double beta = 0.01;                  // gaussian: weight of the KL term
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind, "codebook, or gaussian (a continuous program, for the baselines)",
          one_of({"codebook", "gaussian"}));
    field("codes", c.codes, "vocabulary size |E|", between(1, 4096));
    field("width", c.width, "width of a code vector", between(1, 4096));
    field("initial", c.initial, "where codes start: uniform or orthogonal",
          one_of({"uniform", "orthogonal"}));
    field("commitment", c.commitment, "weight of the commitment loss", between(0, 1e6));
    field("codebook", c.codebook, "how codes learn: gradient or ema", one_of({"gradient", "ema"}));
    field("decay", c.decay, "decay of the EMA codebook", between(0, 1));
    field("commit", c.commit, "when the EMA codebook moves: call or step", one_of({"call", "step"}));
    field("entropy", c.entropy, "weight of sample entropy minus codebook entropy", between(0, 1e6));
    field("orthogonality", c.orthogonality, "weight of the orthogonality penalty", between(0, 1e6));
    field("orthogonality_rate", c.orthogonality_rate, "ema: step size of the orthogonality penalty",
          between(0, 10));
    field("beta", c.beta, "gaussian: weight of the KL term", between(0, 1e6));
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
