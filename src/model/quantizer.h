#pragma once

#include <torch/torch.h>

#include <optional>
#include <string>
#include <vector>

#include "model/bottleneck.h"

namespace neo {

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

// Vector quantisation on the unit sphere: actions and codes are L2-normalised, distance is squared Euclidean.
//   a [B, A] --> a/|a| --> nearest (or sampled) of |E| codes --> e [B, A]
//                    \______ straight-through _____/
class QuantizerImpl : public Bottleneck {
 public:
  explicit QuantizerImpl(const QuantizerConfig& config);

  // `uniforms` [B] in [0,1) samples the codes from softmax(-d^2 / temperature); undefined: the nearest code.
  // Vectors: unit codes, straight-through gradient to the normalised action. Loss: codebook, commitment and
  // regularisation terms.
  Latent forward(const torch::Tensor& actions, const torch::Tensor& uniforms = {},
                 double temperature = 1.0) override;
  torch::Tensor draw_noise(RngStream& random, int64_t rows) const override;  // [B] uniform
  // [B, |E|], squared; the gradient reaches the codes only if `learn_codes`.
  torch::Tensor distances(const torch::Tensor& actions, bool learn_codes = true);
  torch::Tensor vectors(const torch::Tensor& codes);  // [B] -> [B, A], unit length
  // The end of an optimiser step: moves an EMA codebook that waits for it by all that was assigned.
  void commit() override;
  // Takes codes out of use: no action is ever near them again.
  void retire(const std::vector<int64_t>& codes);
  std::vector<int64_t> active() const;  // the codes in use
  // Re-initialises code `code` at `vector` (dead-code reset).
  void reset_code(int64_t code, const torch::Tensor& vector);
  const QuantizerConfig& config() const { return config_; }

 private:
  bool is_ema() const { return config_.codebook == "ema"; }
  void accumulate(const torch::Tensor& actions, const torch::Tensor& codes);
  void average();  // moves the pending codes by what was accumulated

  QuantizerConfig config_;
  torch::Tensor codebook_;              // [|E|, A]; a parameter, or a buffer moved by EMA
  torch::Tensor active_;                // [|E|] uint8
  torch::Tensor sizes_, sums_;          // EMA: [|E|], [|E|, A]
  // What the calls of a step make of an EMA codebook; nothing of the model changes before commit().
  struct Averages {
    torch::Tensor codebook, sizes, sums;  // as the members above
    torch::Tensor new_sizes, new_sums;    // assigned since they moved
  };
  std::optional<Averages> pending_;
};
TORCH_MODULE(Quantizer);

}  // namespace neo
