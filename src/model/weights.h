#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/safetensors.h"
#include "data/pair_file.h"
#include "model/neo.h"
#include "model/policy.h"

namespace neo {

TensorData to_tensor_data(const torch::Tensor& tensor);
torch::Tensor to_tensor(const TensorData& data);

// All parameters and buffers of a module, by dotted name with `prefix`.
void put_tensors(const torch::nn::Module& module, const std::string& prefix,
                 std::map<std::string, TensorData>& out);
// The reverse; an Error names a tensor that is missing or has another shape.
void take_tensors(torch::nn::Module& module, const std::string& prefix,
                  const std::map<std::string, TensorData>& in, const std::string& origin);

// The metadata of a theory's file.
struct TheoryInfo {
  std::string benchmark;  // whose pairs it learned from; empty: own data
  std::string source;     // what these were; human-readable
  std::string preset;
  double alpha = 1.0;       // of a benchmark's split
  bool grouped = false;     // training was told which pairs share a program
  uint64_t seed = 0;
  int64_t step = 0;
  std::string data_digest;         // of the training pairs
  std::string settings;            // the resolved training config, TOML
  Policy policy;                   // how it explains
  std::vector<std::string> names;  // of its codes, if known; empty: none
  std::vector<Pair> examples;      // a few pairs it was not trained on, to try it with
};

struct LoadedTheory {
  TheoryInfo info;
  Neo model{nullptr};  // frozen, in eval mode
};

// One file is all that eval, explain and serve need: observation model, programmer, executor, codebook.
void save_theory(const std::filesystem::path& path, NeoImpl& model, const TheoryInfo& info);
LoadedTheory load_theory(const std::filesystem::path& path);

// An observation model alone (what `neo pretrain` makes). Loading refuses one of another space or config.
void save_observation_model(const std::filesystem::path& path, ObservationModel& model,
                            const ObservationConfig& config);
void load_observation_model(const std::filesystem::path& path, ObservationModel& model,
                            const ObservationConfig& config);

}  // namespace neo
