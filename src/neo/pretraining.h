#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "observe/pretrain.h"

namespace neo {

// The options of `neo pretrain`: the observation model that a preset of a benchmark asks for, trained on the
// benchmark's single observations.
struct PretrainingOptions {
  std::string benchmark;
  std::string preset = "fast";
  uint64_t seed = 42;
  std::filesystem::path out;           // empty: weights/<benchmark>-<kind>-observation.safetensors
  std::vector<std::string> settings;   // of PretrainConfig, "key=value"
  std::string device = "cpu";
};

struct PretrainingResult {
  std::filesystem::path path;
  int64_t held_out = 0;
  bool exact = true;   // `score` is a share of exact reconstructions; else a mean error
  double score = 0;
  // Where nothing is exact: the error by the length of the program that made the observation; 0: none did.
  std::vector<std::pair<int64_t, double>> by_length;
};
PretrainingResult run_pretraining(const PretrainingOptions& options);

}  // namespace neo
